"""Colours by value: the choice in the panel, the range, its legend."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np

from supple.viewer.messages import Colouring
from supple.viewer.page.body_view import BodyView
from supple.viewer.page.colours import ramp_css
from supple.viewer.slot import Singles

if TYPE_CHECKING:
    from viser import ViserServer

PERIOD = 0.125
"""Coloured meshes are rebuilt in the browser each time, which is slow: not more often than this [s]."""
UNITS = {Colouring.STRAIN: "J/m³", Colouring.SPEED: "m/s"}


class Painter:
    """Colours bodies by the quantity chosen in the panel."""

    def __init__(self, server: ViserServer, body: BodyView) -> None:
        self.choice = server.gui.add_dropdown("colour by", [c.value for c in Colouring])
        self._legend = server.gui.add_html("", visible=False)
        self._body = body
        self._shown = Colouring.NOTHING
        self._top = 0.0
        self._at = 0.0
        self.stale = False
        """Whether the last values were skipped because they came too early and should be passed again."""

    @property
    def chosen(self) -> Colouring:
        return Colouring(self.choice.value)

    def paint(self, values: Singles) -> None:
        """Colour as chosen; the range grows with the values and is reset when the colouring changes."""
        chosen = self.chosen
        if chosen is not self._shown:
            self._top, self._at, self._shown = 0.0, 0.0, chosen
            self._legend.visible = chosen is not Colouring.NOTHING
            if chosen is Colouring.NOTHING:
                self._body.unpaint()
        now = time.monotonic()
        self.stale = chosen is not Colouring.NOTHING and now - self._at < PERIOD
        if chosen is Colouring.NOTHING or self.stale:
            return
        self._at = now
        # without the most extreme vertices: a pinned corner would dominate the range
        top = float(np.nan_to_num(np.percentile(values[self._body.own], 98)))
        if top > self._top:
            self._top = _rounded(top)
            self._legend.content = _bar(self._top, UNITS[chosen])
        self._body.paint(values, self._top)


def _rounded(top: float) -> float:
    """The next one of 1, 2, 5, 10, 20 ... from `top` on."""
    if not top > 0:
        return 0.0
    power = 10.0 ** np.floor(np.log10(top))
    return float(next(m * power for m in (1, 2, 5, 10) if m * power >= top * (1 - 1e-9)))


def _bar(top: float, unit: str) -> str:
    return (
        '<div style="padding:0.2em 0.9em;font-size:0.75em">'
        f'<div style="height:0.7em;border-radius:0.35em;background:{ramp_css()}"></div>'
        f'<div style="display:flex;justify-content:space-between"><span>0</span><span>{top:g} {unit}</span></div></div>'
    )
