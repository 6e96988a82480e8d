"""A cloud of particles: vertices of a system that carry the deformation of the volume around them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from supple.errors import SuppleError
from supple.linalg.reduce import dot
from supple.materials.flow.flow import FlowMaterial
from supple.materials.material import Material
from supple.types import Array, Ints

CROWD = 8
"""Target number of particles per cell, used for the default cell size."""


@dataclass(frozen=True, eq=False)
class Cloud:
    """Particles of one material. Their masses are the masses of the system's vertices."""

    vertices: Ints
    """(m,) their indices in the system."""
    volume: Array
    """(m,) volumes at rest [m^3]."""
    material: Material
    """A solid material, or one with plastic flow (materials/flow)."""
    spin: Array | None = None
    """(m, 3, 3) velocity gradients at the start; zero if not given [1/s]."""
    F: Array | None = None
    """(m, 3, 3) deformation gradients at the start; undeformed if not given."""
    cell: float | None = None
    """Cell size for which they were placed, if known [m]."""

    def __post_init__(self) -> None:
        vertices = np.ascontiguousarray(self.vertices, dtype=np.int32).reshape(-1)
        volume = np.array(np.broadcast_to(self.volume, vertices.shape), dtype=np.float64)
        if not len(vertices):
            raise SuppleError("cloud.vertices: found none; give the index of each particle")
        if not (np.isfinite(volume) & (volume > 0.0)).all():
            raise SuppleError("cloud.volume: must be finite and above 0, a scalar or one value per particle")
        if self.spin is not None and np.shape(self.spin) != (len(vertices), 3, 3):
            raise SuppleError(f"cloud.spin: found shape {np.shape(self.spin)}; give ({len(vertices)}, 3, 3)")
        if self.F is not None and np.shape(self.F) != (len(vertices), 3, 3):
            raise SuppleError(f"cloud.F: found shape {np.shape(self.F)}; give ({len(vertices)}, 3, 3)")
        object.__setattr__(self, "vertices", vertices)
        object.__setattr__(self, "volume", volume)

    @cached_property
    def table(self) -> Array:
        """(m, c) constants of the law at the start; the last ones are the history of a material with flow."""
        return self.material.parameters(self.n)

    @property
    def n(self) -> int:
        return len(self.vertices)

    @property
    def flow(self) -> FlowMaterial | None:
        """The material, if it has flow."""
        return self.material if isinstance(self.material, FlowMaterial) else None

    @property
    def remembers(self) -> int:
        """Columns of history."""
        return self.flow.remembers if self.flow is not None else 0

    def with_history(self, history: Array) -> Array:
        """(m, c) constants with the history (m, k) of the particles."""
        table = self.table.copy()
        if self.remembers:
            table[:, -self.remembers :] = history[:, : self.remembers]
        return table

    def stored(self, F: Array, history: Array) -> float:
        """sum V psi(F) [J]."""
        return dot(self.volume, self.responses(F, history)[0])

    def responses(self, F: Array, history: Array) -> tuple[Array, Array]:
        """psi (m,) [J/m^3] and P (m, 3, 3) [Pa] at deformation gradients F (m, 3, 3)."""
        from supple.materials.batches import responses

        psi, P = np.empty(self.n), np.empty((self.n, 9))
        responses(
            self.material.law.response, self.with_history(history), np.ascontiguousarray(F.reshape(-1, 9)), psi, P
        )
        return psi, P.reshape(-1, 3, 3)

    @cached_property
    def modulus(self) -> float:
        """Largest stiffness of pressure waves at rest, lam + 2 mu [Pa]."""
        if self.flow is not None:
            return self.flow.wave_modulus
        rows = np.unique(self.table, axis=0, return_index=True)[1]
        from supple.materials.batches import tangents

        C = np.empty((len(rows), 9, 9))
        tangents(self.material.law.tangent, self.table[rows], np.tile(np.eye(3).ravel(), (len(rows), 1)), C)
        return float(C[:, (0, 4, 8), (0, 4, 8)].max())


def default_cell(clouds: tuple[Cloud, ...]) -> float:
    """The cell size for which particles were placed, the smallest of several; else with about eight particles [m]."""
    known = [cloud.cell for cloud in clouds if cloud.cell is not None]
    if known:
        return min(known)
    volume = sum(float(cloud.volume.sum()) for cloud in clouds) / sum(cloud.n for cloud in clouds)
    return float((CROWD * volume) ** (1.0 / 3.0))


@dataclass(frozen=True)
class Flowed:
    """Particles of a cloud after plastic flow."""

    F: Array
    """(m, 3, 3)"""
    history: Array
    """(m, k)"""
    plastic: float
    """Energy that flow dissipated [J]."""
    hardening: float
    """Energy that hardening added [J]."""


def flowed(cloud: Cloud, F: Array, history: Array) -> Flowed:
    """The return of a cloud's material after a step to F (m, 3, 3)."""
    if cloud.flow is None:
        return Flowed(F, history, 0.0, 0.0)
    from supple.materials.flow.batches import flows

    rows, table, taken = F.reshape(-1, 9).copy(), cloud.with_history(history), np.empty((cloud.n, 2))
    flows(cloud.flow.returns.address, table, rows, taken)
    history = history.copy()
    history[:, : cloud.remembers] = table[:, table.shape[1] - cloud.remembers :]
    plastic, hardening = (dot(cloud.volume, np.ascontiguousarray(column)) for column in taken.T)
    return Flowed(rows.reshape(-1, 3, 3), history, plastic, hardening)
