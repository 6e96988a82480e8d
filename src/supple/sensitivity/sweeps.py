"""Sweeps over entire runs: `pull` differentiates a loss with respect to all inputs, `push` propagates changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from supple.dynamics.state import State
from supple.dynamics.system import System
from supple.errors import SuppleError
from supple.sensitivity.linear import StageMatrix
from supple.sensitivity.naming import by_name
from supple.sensitivity.record import Record
from supple.sensitivity.replay import Played
from supple.sensitivity.reverse import StepBack
from supple.sensitivity.sums import Sums
from supple.sensitivity.tangent import StepAlong
from supple.sensitivity.twins import Twin
from supple.types import Array


@dataclass(frozen=True)
class Share:
    """Contribution of one state to a loss, with its derivatives with respect to positions and velocities (n, 3); None: zero."""

    value: float
    """Contribution to the loss."""
    x: Array | None = None
    """(n, 3) derivative with respect to positions [1/m]."""
    v: Array | None = None
    """(n, 3) derivative with respect to velocities [s/m]."""
    direct: Callable[[System], float] | None = None
    """The same value for a neighbouring system at this state, where the loss depends on the system directly, as energies do."""


Loss: TypeAlias = Callable[[int, State], Share | None]
"""Number of the accepted step (0: the start) and its state -> its contribution, or None."""


@dataclass(frozen=True)
class Bars:
    """Derivatives of a loss."""

    value: float
    """The loss."""
    start: State
    """With respect to initial positions and velocities."""
    mass: Array
    """(n,) with respect to vertex masses, inertia, gravity and drag together [1/kg]."""
    rest: Array
    """(n, 3) with respect to rest positions, at constant masses [1/m]."""
    constants: dict[str, Array]
    """With respect to constants, such as `bar.mu` (one entry per element) or `viscosity.shear` (naming.py)."""
    by_term: dict[tuple[str, int, str], Array]
    """The same by sum (potential, dissipation), index of the term, and name."""
    script: dict[tuple[str, float], Array]
    """(n, 3) with respect to positions (place) and velocities (drive) of prescribed vertices at a time."""
    keys: dict[str, float]
    """With respect to parameters of the scene."""
    growth: list[float] = field(default_factory=list)
    """Norm of the adjoint along the sweep, from the last step to the first: strong growth indicates chaotic motion."""
    inexact: tuple[str, ...] = ()
    """Omitted contributions, as text."""


def pull(record: Record, loss: Loss, twins: Sequence[Twin] = (), fields: bool = True) -> Bars:
    """Adjoints of a loss. fields: whether element constants, masses and rest positions are requested."""
    system, method = record.system, record.method
    sums = Sums(system, twins, fields)
    matrix = StageMatrix(system, record.solver)
    bars: dict[str, Array] = {}
    value, growth = 0.0, []
    try:
        index = len(record.times) - 1
        for step in record.backwards():
            value += _add(loss, index, step.after, bars, sums)
            played = Played(system, method, step)
            bars = StepBack(played, method, matrix, sums).take(_known(bars, played))
            growth.append(float(np.sqrt(sum(np.vdot(b, b).real for b in bars.values()))))
            index -= 1
        first = record.start_step()
        value += _add(loss, 0, first.after, bars, sums)
        played = Played(system, method, first)
        bars = StepBack(played, method, matrix, sums).take(_known(bars, played))
    finally:
        matrix.close()
    _add_start(sums, bars)
    start = State(first.before.t, bars["x"], bars["v"])
    notes = tuple(sorted(sums.inexact))
    named = by_name(record.model, sums.constants)
    return Bars(value, start, sums.mass, sums.rest, named, sums.constants, sums.script, sums.keys, growth, notes)


def _known(bars: dict[str, Array], played: Played) -> dict[str, Array]:
    """Adjoints of results that the step has; discarded memory has none."""
    return {name: bar for name, bar in bars.items() if name in played.step.program.outputs}


def _add(loss: Loss, index: int, state: State, bars: dict[str, Array], sums: Sums) -> float:
    """Add the contribution of a state to the loss."""
    share = loss(index, state)
    if share is None:
        return 0.0
    for name, bar in (("x", share.x), ("v", share.v)):
        if bar is not None:
            if bar.shape != state.x.shape:
                raise SuppleError(f"loss: derivatives of shape {bar.shape} at positions of shape {state.x.shape}")
            bars[name] = bars[name] + bar if name in bars else np.array(bar, dtype=np.float64)
    if share.direct is not None:
        for twin in sums.twins:
            sums.keys[twin.name] += twin.slope(share.direct)
    return share.value


def _add_start(sums: Sums, bars: dict[str, Array]) -> None:
    for twin in sums.twins:
        x, v = twin.start()
        sums.keys[twin.name] += float(np.vdot(bars["x"], x) + np.vdot(bars["v"], v))


@dataclass(frozen=True)
class Direction:
    """A change of the start, of a parameter of the scene, or of both."""

    x: Array | None = None
    """(n, 3) change of initial positions [m]; None: no change."""
    v: Array | None = None
    """(n, 3) change of initial velocities [m/s]; None: no change."""
    twin: Twin | None = None
    """Change with a parameter of the scene; None: no change."""


@dataclass(frozen=True)
class Dots:
    """Changes of positions and velocities along a direction."""

    x: Array
    """(n, 3) change of positions [m]."""
    v: Array
    """(n, 3) change of velocities [m/s]."""


def push(record: Record, directions: Sequence[Direction]) -> Iterator[tuple[int, State, list[Dots]]]:
    """Number of the step, its state and the changes along each direction: at the start, then after every step."""
    system, method = record.system, record.method
    matrix = StageMatrix(system, record.solver)
    twins = [direction.twin for direction in directions]
    try:
        first = record.start_step()
        inputs = [_start(direction, first.before) for direction in directions]
        dots = StepAlong(Played(system, method, first), method, matrix).take(inputs, twins)
        yield 0, first.after, [Dots(d["x"], d["v"]) for d in dots]
        for index, step in enumerate(record.forwards(), start=1):
            played = Played(system, method, step)
            dots = StepAlong(played, method, matrix).take(dots, twins)
            yield index, step.after, [Dots(d["x"], d["v"]) for d in dots]
    finally:
        matrix.close()


def _start(direction: Direction, state: State) -> dict[str, Array]:
    found = {}
    twin = (None, None) if direction.twin is None else direction.twin.start()
    for name, own, built in (("x", direction.x, twin[0]), ("v", direction.v, twin[1])):
        total = np.zeros_like(state.x)
        for part in (own, built):
            if part is not None:
                total = total + part
        found[name] = total
    return found
