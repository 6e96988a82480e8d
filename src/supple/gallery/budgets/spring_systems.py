"""The spring systems of the source: masses of 1 kg, springs of k/l0 with k = 20 N, steps of 1/24 s."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from supple.constraints.motion import Hold, Motion, Prescribed
from supple.dynamics.invariants import energies
from supple.dynamics.state import State
from supple.dynamics.system import System, build_system
from supple.energies.gravity import Gravity
from supple.energies.springs.generalised import altitude_springs, axial_bending_springs, edge_springs
from supple.integrators.method import Method
from supple.mesh.topology import unique_edges
from supple.solvers.tools import StepTools
from supple.types import Array

H = 1 / 24
K = 20.0
EXPLODED = 10.0
"""Relative energies at which a run ends."""
Setup: TypeAlias = tuple[System, State]
LINE = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]])
ALONG = np.array([1.0, 0.0, 0.0])


def one_spring(held: bool, k: float = K) -> Setup:
    """Stretched by half its length."""
    X = LINE[:2]
    x = X * 1.5
    motion = Motion((_hold([0], x),)) if held else None
    return build_system(X, np.ones(2), [edge_springs(X, _pairs((0, 1)), k)], motion), _at_rest(x)


def two_springs(held: bool) -> Setup:
    """Both ends pulled, or fixed with the middle pulled aside."""
    x = LINE + np.array([[0.0], [0.4], [0.0]] if held else [[-0.3], [0.0], [0.5]]) * ALONG
    motion = Motion((_hold([0, 2], x),)) if held else None
    return build_system(LINE, np.ones(3), [edge_springs(LINE, _pairs((0, 1), (1, 2)), K)], motion), _at_rest(x)


def hanging() -> Setup:
    """A spring with a weight, released from a stretch of one half."""
    X = np.array([[0.0, 0.0, 0.0], [0.0, 0.0, -1.0]])
    terms = [edge_springs(X, _pairs((0, 1)), K), Gravity(np.ones(2), np.array([0.0, 0.0, -9.8]))]
    return build_system(X, np.ones(2), terms, Motion((_hold([0], 1.5 * X),))), _at_rest(1.5 * X)


def rotating() -> Setup:
    X = LINE[:2]
    v = np.array([[0.0, -1.0, 0.0], [0.0, 1.0, 0.0]])
    return build_system(X, np.ones(2), [edge_springs(X, _pairs((0, 1)), K)]), State(0.0, X.copy(), v)


def three_held() -> Setup:
    """A mass on three springs with fixed outer ends."""
    X = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [-0.5, 0.87, 0.0], [-0.5, -0.87, 0.0]])
    v = np.zeros((4, 3))
    v[0] = 0.8, 0.8, 0.0
    springs = edge_springs(X, _pairs((0, 1), (0, 2), (0, 3)), K)
    return build_system(X, np.ones(4), [springs], Motion((_hold([1, 2, 3], X),))), State(0.0, X.copy(), v)


def tetrahedron() -> Setup:
    """Springs along edges and altitudes; stretched."""
    X = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.4, 0.9, 0.0], [0.45, 0.3, 0.8]])
    cell = np.array([[0, 1, 2, 3]], np.int32)
    terms = [edge_springs(X, unique_edges(cell), K), altitude_springs(X, cell, K)]
    return build_system(X, np.ones(4), terms), _at_rest(X * [1.3, 1.0, 0.8])


def two_triangles() -> Setup:
    """Joined at an edge with an initial velocity and a bending spring across it; the outer corners are fixed."""
    X = np.array([[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [-0.9, 0.5, 0.0], [0.9, 0.5, 0.0]])
    triangles = np.array([[0, 1, 2], [1, 0, 3]], np.int32)
    v = np.zeros((4, 3))
    v[:2, 2] = 1.0
    terms = [edge_springs(X, unique_edges(triangles), K), axial_bending_springs(X, triangles, 5.0)]
    return build_system(X, np.ones(4), terms, Motion((_hold([2, 3], X),))), State(0.0, X.copy(), v)


@dataclass(frozen=True)
class Course:
    """A run of a spring system, up to its end or blow-up."""

    energy: Array
    """Total energy relative to its initial value; if that is zero, 1 plus its change relative to the energy in play."""
    length: Array
    """Distance between the first two masses [m]."""
    mismatch: float = 0.0
    """Largest difference between the ledger of all springs and the energy, relative to the energy in play."""

    @property
    def time(self) -> Array:
        return np.linspace(0.0, H * (len(self.energy) - 1), len(self.energy))

    @property
    def off(self) -> float:
        """Largest energy error."""
        return float(np.abs(self.energy - 1.0).max())


def course(setup: Setup, method: Method | None, steps: int) -> Course:
    """Steps of a method; None: Hooke's forces at the start of each step in the same scheme. Stops at a blow-up."""
    system, state = setup
    tools = StepTools(system)
    memory: dict[str, Any] = method.start(system, state) if method is not None else {}
    first = energies(system, state)
    found, lengths, mismatch = [1.0], [_apart(state)], 0.0
    for _ in range(steps):
        if method is None:
            a = system.acceleration(state)
            x = state.x + H * state.v + 0.5 * H * H * a
            state = Method.arrived(system, state.t + H, x, state.v + H * a)
        else:
            state, memory, _ = method.step(system, state, memory, H, tools)
        change = (energies(system, state).total - first.total) / first.scale
        found.append(1.0 + change)
        lengths.append(_apart(state))
        if "residual" in memory:
            mismatch = max(mismatch, abs(float(memory["residual"].sum()) / first.scale - change))
        if not abs(change) < EXPLODED:
            break
    return Course(np.array(found), np.array(lengths), mismatch)


SYSTEMS: dict[str, Callable[[], Setup]] = {
    "one spring, free": lambda: one_spring(False),
    "one spring, fixed": lambda: one_spring(True),
    "two springs, free": lambda: two_springs(False),
    "two springs, fixed": lambda: two_springs(True),
    "spring with a weight": hanging,
    "rotating spring": rotating,
    "three fixed springs": three_held,
    "tetrahedron": tetrahedron,
    "two triangles": two_triangles,
}


def _apart(state: State) -> float:
    return float(np.linalg.norm(state.x[1] - state.x[0]))


def _pairs(*ends: tuple[int, int]) -> np.ndarray:
    return np.array(ends, np.int32)


def _hold(vertices: list[int], x: Array) -> Prescribed:
    chosen = np.array(vertices, dtype=np.int32)
    return Prescribed(chosen, np.ascontiguousarray(x[chosen]), Hold())


def _at_rest(x: Array) -> State:
    return State(0.0, x.copy(), np.zeros_like(x))
