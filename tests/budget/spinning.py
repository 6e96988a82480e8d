"""The spinning bodies on which the budget is measured, and the measures."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from builders import Setup, run
from supple.dynamics.invariants import momenta
from supple.dynamics.state import State
from supple.dynamics.system import build_system
from supple.energies.solids.solid import Solid
from supple.energies.springs.springs import HookeSprings
from supple.energies.term import EnergyTerm
from supple.loop import Frame
from supple.materials.mooney_rivlin import ModifiedNeoHookean
from supple.mesh.measure import lumped_mass
from supple.mesh.shapes.solid import Bar


def spinning_bar(*dampers: Any, drift: tuple[float, float, float] = (0.0, 0.0, 0.0), extra: Any = ()) -> Setup:
    """24 tets, 2 x 0.5 x 0.5 m, stretched, turning about its centre with (0.3, 1, 2) x X; `dampers`, `extra`: functions of
    the masses that give dissipation and further potentials."""
    mesh = Bar(cells=(4, 1, 1), size=(2.0, 0.5, 0.5), tets=6).mesh()
    X, mass = mesh.vertices, lumped_mass(mesh, density=1000.0)
    terms: list[EnergyTerm] = [Solid(X, mesh.tets, ModifiedNeoHookean(3e3, 1.5e4)), *(make(mass) for make in extra)]
    system = build_system(X, mass, terms, dissipation=[make(mass) for make in dampers])
    x = X * [1.15, 0.97, 0.95]
    v = np.cross([0.3, 1.0, 2.0], X - X.mean(axis=0)) + np.asarray(drift)
    return system, State(0.0, x - x.mean(axis=0), v)


def spinning_springs() -> Setup:
    """A tetrahedron of six springs, flying and turning."""
    X = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.1], [0.5, 0.9, 0.0], [0.4, 0.3, 0.8]])
    edges = np.array([[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]], dtype=np.int32)
    v = np.cross([0.3, 1.0, 2.0], X) + np.array([[0.2, 0.0, 0.1], [0.5, 0.3, 0.0], [0.0, -0.4, 0.2], [-0.3, 0.0, 0.6]])
    return build_system(X, np.array([1.0, 1.2, 0.8, 1.0]), [HookeSprings(X, edges, 40.0)]), State(0.0, 1.1 * X, v)


@dataclass(frozen=True)
class Kept:
    """Largest relative changes in a run."""

    energy: float
    linear: float
    angular: float
    frames: list[Frame]

    @property
    def notes(self) -> list[str]:
        return [frame.note for frame in self.frames if frame.note]


def measured(setup: Setup, method: Any, h: float, steps: int, **options: Any) -> Kept:
    """A run and its changes of energy and momenta, the linear one relative to the sum of its parts, which may cancel."""
    system, start = setup
    frames = run(setup, method, h, steps, **options)
    energy = np.array([frame.ledger.energies.total for frame in frames])
    p = system.mass[:, None] * start.v
    sizes = (np.abs(p).sum(), np.linalg.norm(np.cross(start.x, p).sum(axis=0)))
    both = np.array([momenta(system, frame.state) for frame in frames])
    gaps = [float(np.abs(both[:, k] - both[0, k]).max() / sizes[k]) for k in (0, 1)]
    return Kept(float(np.abs(energy - energy[0]).max() / frames[0].ledger.energies.scale), *gaps, frames)
