"""A workload as every peer reads it: one file of arrays, so that all of them move the same body.

Needs NumPy only: this file is imported in the environments of the peers, where supple is not.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Problem:
    """Bodies, their material and how long they move; z points up."""

    workload: str
    size: str
    rest: np.ndarray
    """(n, 3) positions at rest [m]."""
    start: np.ndarray
    """(n, 3) positions at the start, where everything is at rest [m]."""
    cells: np.ndarray
    """(m, 4) tets or (m, 3) triangles."""
    mass: np.ndarray
    """(n,) lumped masses [kg]."""
    held: np.ndarray
    """Vertices that stay where they are."""
    tip: np.ndarray
    """Vertices whose mean position the table shows."""
    owner: np.ndarray
    """(n,) number of the body that each vertex belongs to."""
    young: float
    poisson: float
    thickness: float
    """Of sheets [m]."""
    gravity: float
    """Along -z [m/s^2]."""
    step: float
    """Time between two frames [s]; a peer may take several substeps for it."""
    steps: int
    ground: bool
    """Whether z = 0 is a floor."""
    friction: float
    gap: float
    """Distance at which contact may begin [m]."""

    @property
    def lame(self) -> tuple[float, float]:
        """mu and lambda of the solid [Pa]."""
        mu = self.young / (2 * (1 + self.poisson))
        return mu, 2 * mu * self.poisson / (1 - 2 * self.poisson)

    @property
    def sheet(self) -> tuple[float, float]:
        """mu and lambda of the sheet in plane stress, times its thickness [N/m]."""
        mu = self.young / (2 * (1 + self.poisson))
        return mu * self.thickness, self.young * self.poisson / (1 - self.poisson**2) * self.thickness

    @property
    def solid(self) -> bool:
        return self.cells.shape[1] == 4

    @property
    def bodies(self) -> list[tuple[np.ndarray, np.ndarray]]:
        """Vertices of each body, and its cells numbered within them."""
        found = []
        for k in range(int(self.owner.max()) + 1):
            ids = np.flatnonzero(self.owner == k)
            local = np.full(len(self.owner), -1)
            local[ids] = np.arange(len(ids))
            found.append((ids, local[self.cells[self.owner[self.cells[:, 0]] == k]]))
        return found

    def save(self, file: Path) -> None:
        np.savez(file, **{f.name: getattr(self, f.name) for f in fields(self)})

    @classmethod
    def load(cls, file: Path) -> Problem:
        with np.load(file) as kept:
            given: dict[str, Any] = {f.name: kept[f.name] for f in fields(cls)}
        return cls(**{name: value if value.ndim else value.item() for name, value in given.items()})
