"""Particle data other than position and velocity: deformation, affine velocity, history."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from supple.points.cloud import Cloud, flowed
from supple.types import Array


@dataclass(frozen=True)
class Matter:
    """Data of all n vertices of a system."""

    F: Array
    """(n, 3, 3) deformation gradients, the elastic part for materials with flow."""
    C: Array
    """(n, 3, 3) affine velocities, or velocity gradients where a transfer has none [1/s]."""
    history: Array
    """(n, k) history of materials with flow."""

    @classmethod
    def of(cls, memory: Mapping[str, Array]) -> Matter:
        """From the memory of a method."""
        F, C = memory["F"].reshape(-1, 3, 3), memory["C"].reshape(-1, 3, 3)
        return cls(F, C, memory["history"].reshape(len(F), -1))

    def memory(self) -> dict[str, Array]:
        """For the memory of a method."""
        return {"F": self.F.reshape(-1, 9), "C": self.C.reshape(-1, 9), "history": self.history}

    def stored(self, clouds: Sequence[Cloud]) -> float:
        """Elastic energy of all clouds [J]."""
        return sum(cloud.stored(self.F[cloud.vertices], self.history[cloud.vertices]) for cloud in clouds)

    def flowed(self, clouds: Sequence[Cloud]) -> tuple[Matter, float, float]:
        """The state after the flow of all materials; energies dissipated by flow and added by hardening [J]."""
        if all(cloud.flow is None for cloud in clouds):
            return self, 0.0, 0.0
        F, history, plastic, hardening = self.F.copy(), self.history.copy(), 0.0, 0.0
        for cloud in clouds:
            after = flowed(cloud, F[cloud.vertices], history[cloud.vertices])
            F[cloud.vertices], history[cloud.vertices] = after.F, after.history
            plastic, hardening = plastic + after.plastic, hardening + after.hardening
        return Matter(F, self.C, history), plastic, hardening


def matter_of(clouds: Sequence[Cloud], n: int) -> Matter:
    """Particles with the initial deformation and velocity gradients of their clouds."""
    F, C = np.tile(np.eye(3), (n, 1, 1)), np.zeros((n, 3, 3))
    history = np.zeros((n, max((cloud.remembers for cloud in clouds), default=0)))
    for cloud in clouds:
        if cloud.spin is not None:
            C[cloud.vertices] = cloud.spin
        if cloud.F is not None:
            F[cloud.vertices] = cloud.F
        k = cloud.remembers
        history[cloud.vertices, :k] = cloud.table[:, cloud.table.shape[1] - k :]
    return Matter(F, C, history)
