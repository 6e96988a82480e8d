"""The status line at the top of the live page: whether the simulation runs in real time, and otherwise its activity."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING

from supple.escaping import markup as escape

if TYPE_CHECKING:
    from viser import ViserServer

PATIENCE = 0.4
"""Waiting time after which the line shows that a request is in progress [s]."""
SLOW = 0.9
"""Fraction of real time below which a simulation counts as slow."""
CALM, BUSY, STILL = "#2a9d5c", "#d55e00", "#8a8f98"
SPIN = "<style>@keyframes supple-turn{to{transform:rotate(360deg)}}</style>"


class BusySign:
    """Tracks incoming frames and unanswered requests."""

    def __init__(self, server: ViserServer) -> None:
        self._html = server.gui.add_html("")
        self._waiting: float | None = time.monotonic()
        self._came = time.monotonic()
        self._doing = "starting"
        self._playing, self._pace = False, math.nan
        self._shown = ""
        self.refresh()

    def asked(self, doing: str = "computing") -> None:
        """A request to the simulation, completed by its next frame."""
        if self._waiting is None:
            self._waiting, self._doing = time.monotonic(), doing

    def told(self, note: str) -> None:
        """A status message from the simulation."""
        if note.startswith("compiling"):
            self._doing = "compiling, once on this machine"

    def answered(self, playing: bool, pace: float) -> None:
        """A frame has arrived."""
        self._waiting, self._came, self._doing = None, time.monotonic(), "computing"
        self._playing, self._pace = playing, pace

    def refresh(self) -> None:
        """Update the line if the status changed."""
        colour, turning, words = self._standing()
        text = _sign(colour, turning, words)
        if text != self._shown:
            self._shown = self._html.content = text

    def _standing(self) -> tuple[str, bool, str]:
        """Colour, whether the sign spins, and text."""
        since = self._waiting if self._waiting is not None else self._came if self._playing else None
        waited = 0.0 if since is None else time.monotonic() - since
        if waited > PATIENCE:
            seconds = f" for {waited:.0f} s" if waited >= 2.0 else ""
            return BUSY, True, f"busy: {self._doing}{seconds} ..."
        if self._waiting is not None and self._doing == "starting":
            return BUSY, True, "busy: starting ..."
        if not self._playing:
            return STILL, False, "paused"
        if math.isnan(self._pace):
            return CALM, False, "playing"
        if self._pace < SLOW:
            return BUSY, True, f"busy: {_times(self._pace)} real time"
        return CALM, False, "playing in real time" if self._pace < 1.1 else f"playing at {_times(self._pace)} real time"


def _times(pace: float) -> str:
    """The pace with one digit, which does not flicker: 1/8 of, 0.4 of, 3 times."""
    if pace < 0.15:
        return f"1/{1.0 / pace:.0f} of" if pace > 0.0 else "none of"
    return f"{pace:.1f} of" if pace < 1.0 else f"{pace:.0f} times"


def _sign(colour: str, turning: bool, words: str) -> str:
    ring = f"border:0.18em solid {colour};border-top-color:transparent;animation:supple-turn 0.9s linear infinite"
    look = ring if turning else f"background:{colour}"
    return (
        f'{SPIN}<div role="status" style="display:flex;align-items:center;gap:0.6em;padding:0.3em 0.9em;'
        f'font-size:0.85em;font-weight:600;color:{colour}">'
        f'<span style="width:0.9em;height:0.9em;border-radius:50%;box-sizing:border-box;flex:none;{look}"></span>'
        f"<span>{escape(words)}</span></div>"
    )
