"""Gaps that became too small during a run: nothing has touched, but contact is too soft."""

from __future__ import annotations

from supple.loop import Frame
from supple.model.contacts.contacts import Contacts
from supple.runs.notes.noted import noted
from supple.types import Array

SMALL = 0.05
"""Fraction of the contact distance below which a gap is reported."""


class GapWatch:
    """Watches every frame of a run."""

    def __init__(self, contacts: Contacts) -> None:
        self._contacts = contacts
        self._told = 2.0 * SMALL
        """Half of this is small enough to be reported."""

    def told(self, frame: Frame) -> Frame:
        """The frame with a note if a gap is small for the first time, or has halved since."""
        share, where = min(self._gaps(frame.state.x), default=(1.0, ""))
        if share >= 0.5 * self._told:
            return frame
        self._told = share
        note = (
            f"t = {frame.state.t:g} s: the smallest gap to {where} is {share:.1%} of the contact distance: "
            "raise its stiffness, or use a smaller time.step"
        )
        return noted(frame, note)

    def _gaps(self, x: Array) -> list[tuple[float, str]]:
        """Smallest gap over the contact distance, and the opposite object, for each barrier."""
        found = [
            (float(term.gaps(x).min()) / term.law.reach, f"'{obstacle.name}'")
            for obstacle, term in self._contacts.shapes
            if term.keeps_apart
        ]
        if self._contacts.between is not None:
            between = self._contacts.between
            found.append((between.smallest_gap(x) / between.dhat, "another surface"))
        return found
