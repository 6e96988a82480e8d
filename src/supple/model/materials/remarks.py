"""Remarks on a positioned body for the user."""

from __future__ import annotations

from collections.abc import Iterator

from supple.model.clips.following import follow_notes
from supple.model.placed import Placed


def remarks(placed: Placed) -> Iterator[str]:
    """Source of its motion, and unusual properties of its material."""
    yield from follow_notes(placed)
    name, rest = placed.name, placed.rest
    if placed.on_grid and placed.damping:
        yield f"{name}: the damping of its material is ignored: material points have no damping"
    if rest is not None and rest.weakness:
        yield f"{name}: warning: the stiffness of its material at rest is not positive definite: {rest.weakness}"
