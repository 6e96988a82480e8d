"""A second simulation beside the first, for comparison: translucent, in a separate process."""

from __future__ import annotations

import numpy as np

from supple.viewer.figures import INDEX
from supple.viewer.page.body_view import GhostView
from supple.viewer.simulation import Simulation

GHOST_OPACITY = 0.3


class Ghost:
    """The second simulation and its translucent body."""

    def __init__(self, method: str, simulation: Simulation, view: GhostView) -> None:
        self.method, self.simulation, self._view = method, simulation, view
        self._number, self._total = -1, np.nan

    def refresh(self) -> float:
        """Show its newest frame; returns its total energy [J]."""
        shown = self.simulation.latest(self._number)
        if shown is not None:
            self._number = shown.number
            self._view.show(shown.x)
            self._total = float(shown.figures[INDEX["total"]])
        return self._total

    def close(self) -> None:
        self.simulation.close()
        self._view.remove()
