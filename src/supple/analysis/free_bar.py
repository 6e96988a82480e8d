"""A free bar that vibrates along its axis, spins and flies: nothing acts on it, so energy and momenta should be conserved."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from supple.analysis.spectrum import spectrum
from supple.dynamics.state import State
from supple.dynamics.system import System, build_system
from supple.energies.solids.solid import Solid
from supple.materials.stvk import StVK
from supple.mesh.measure import lumped_mass
from supple.mesh.shapes.solid import Bar
from supple.points.cloud import Cloud
from supple.points.seeding import Seeding, seed_mesh
from supple.types import Array

SPIN, FLIGHT = np.array([0.1, -0.2, 0.5]), np.array([0.1, 0.05, -0.07])
"""[rad/s] and [m/s]"""
MODES = 30
"""Number of tet modes searched for the longitudinal one."""


@dataclass(frozen=True)
class FreeBar:
    """The bar of the study."""

    cells: tuple[int, int, int] = (10, 2, 2)
    cell: float = 0.1
    """[m]"""
    per_cell: int = 8
    young: float = 1e5
    """[Pa]"""
    poisson: float = 0.3
    density: float = 1000.0
    """[kg/m^3]"""
    swing: float = 0.25
    """Speed of the ends in the vibration at the start [m/s]."""

    @property
    def mesh_shape(self) -> Bar:
        nx, ny, nz = self.cells
        return Bar(cells=self.cells, size=(nx * self.cell, ny * self.cell, nz * self.cell))

    def vibration(self, x: Array) -> tuple[Array, Array]:
        """Velocities (n, 3) and their gradients (n, 3, 3) at positions x (n, 3): v_x = swing sin(k (x - middle))."""
        k, r = math.pi / (self.cells[0] * self.cell), x[:, 0] - x[:, 0].mean()
        v, C = np.zeros_like(x), np.zeros((len(x), 3, 3))
        v[:, 0], C[:, 0, 0] = self.swing * np.sin(k * r), self.swing * k * np.cos(k * r)
        return v, C

    def placed(self) -> tuple[System, State]:
        """The bar as material points, slightly offset from the grid, with all its motion."""
        seeds = seed_mesh(self.mesh_shape.mesh(), Seeding(self.cell, self.per_cell, jitter=0.0))
        v, C = self.vibration(seeds.x)
        turn = np.cross(np.eye(3), SPIN)
        v = v + (seeds.x - seeds.x.mean(axis=0)) @ turn.T + FLIGHT
        cloud = Cloud(
            np.arange(len(v), dtype=np.int32), seeds.volume, StVK.from_young(self.young, self.poisson), C + turn
        )
        system = build_system(seeds.x, self.density * seeds.volume, [], clouds=[cloud])
        return system, State(0.0, seeds.x + 0.13 * self.cell, v)

    def frequency(self) -> float:
        """Frequency of the first longitudinal mode of a tet mesh with the same cells [Hz]."""
        mesh = self.mesh_shape.mesh()
        mass = lumped_mass(mesh, self.density)
        system = build_system(
            mesh.vertices, mass, [Solid(mesh.vertices, mesh.tets, StVK.from_young(self.young, self.poisson))]
        )
        found = spectrum(system, mesh.vertices, MODES)
        shape = mass[:, None] * self.vibration(mesh.vertices)[0]
        return float(found.frequencies[np.abs(np.einsum("svi,vi->s", found.modes.vectors, shape)).argmax()])
