"""Moving objects on the page: bodies and mesh obstacles in their colours, with mouse pulls on bodies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from supple.types import Ints
from supple.viewer.page.colours import ramp
from supple.viewer.page.patch_view import PatchView
from supple.viewer.page.patches import Patch
from supple.viewer.page.surface import PageSurface
from supple.viewer.slot import Singles

if TYPE_CHECKING:
    from viser import ViserServer

Pulled = Callable[[int, int | None, Any], None]
"""Callback of the mouse: tab number, visible vertex (None: release), target."""


class BodyView:
    """All bodies of one simulation or film, under one name, and its mesh obstacles."""

    def __init__(
        self,
        server: ViserServer,
        name: str,
        surface: PageSurface,
        patches: Sequence[Patch],
        x: Singles,
    ) -> None:
        self.surface = surface
        x = self.x = surface.points(x)
        views = [(patch, PatchView(server, f"{name}/{k}", patch, x)) for k, patch in enumerate(patches)]
        self._all = [view for _, view in views]
        self._bodies = [view for patch, view in views if not patch.look.obstacle]
        own = [patch.points for patch in patches if not patch.look.obstacle]
        moving = [surface.skinned, *own]  # only the skin of a body is in a patch
        seen = np.unique(np.concatenate(moving)).astype(np.int32)
        self.own: Ints = seen[seen < len(surface.vertices)]
        """Vertices of the surface that belong to bodies."""

    def show(self, x: Singles) -> None:
        """Move to positions (k, 3) of the surface's vertices."""
        x = self.x = self.surface.points(x)
        for view in self._all:
            view.show(x)

    def paint(self, values: Singles, top: float) -> None:
        """Colour bodies by values (k,) between 0 and `top`."""
        colours = ramp(self.surface.values(values), top)
        for view in self._bodies:
            view.paint(colours)

    def unpaint(self) -> None:
        """Back to the colours of the bodies."""
        for view in self._bodies:
            view.unpaint()

    def on_pull(self, told: Pulled) -> None:
        """Shift and the left button pull a body."""

        def dragged(who: int, point: int | None, target: Any) -> None:
            told(who, None if point is None else self.surface.grip(point), target)

        for view in self._bodies:
            view.on_pull(dragged)


class GhostView:
    """The bodies of a second simulation or film: translucent, in one colour, without its obstacles."""

    def __init__(
        self,
        server: ViserServer,
        surface: PageSurface,
        patches: Sequence[Patch],
        x: Singles,
        colour: tuple[int, int, int],
        opacity: float,
    ) -> None:
        self._surface = surface
        points = surface.points(x)
        self._views = [
            PatchView(server, f"/ghost/{k}", patch, points, colour, opacity)
            for k, patch in enumerate(patches)
            if not patch.look.obstacle
        ]

    def show(self, x: Singles) -> None:
        """Move to positions (k, 3) of the surface's vertices."""
        points = self._surface.points(x)
        for view in self._views:
            view.show(points)

    def remove(self) -> None:
        """Remove everything from the page."""
        for view in self._views:
            view.remove()
