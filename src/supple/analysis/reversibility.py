"""Time-reversal test: a number of steps, reversal of all velocities, and the same number of steps back.

Without damping, wind or moving scripts the motion of a body is reversible: from (x, -v) it retraces its path. A
symmetric method, whose step of -h undoes a step of h, is reversible too, up to solver accuracy and the
amplification of errors by the motion. A dissipative method is not.

Free vertices count. Distances are relative to the size of the body, their largest extent at the start; velocities to the
largest forward speed. `strayed` compares the backward with the forward path at the same number of steps from the start.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from supple.dynamics.invariants import energies
from supple.dynamics.state import State
from supple.dynamics.step import Integrator, Memory
from supple.dynamics.system import System
from supple.errors import StepFailed, SuppleError
from supple.progress import first_memory
from supple.solvers.options import SolverOptions
from supple.solvers.tools import StepTools
from supple.types import Array

KEPT = 400
"""Largest number of stored points of the forward path, so long runs of large bodies fit into memory."""


@dataclass(frozen=True)
class Journey:
    """A time-reversal test: a system from its (placed) start, `steps` steps of h [s] in each direction."""

    system: System
    start: State
    h: float
    steps: int
    options: SolverOptions

    def __post_init__(self) -> None:
        check_reversible(self.system)


@dataclass(frozen=True)
class Trail:
    """Largest distances of a vertex over time, in sizes of the body; one entry per stored point."""

    step: Array
    """0 to twice the number of steps per direction."""
    time: Array
    """Time since the start, including the way back [s]."""
    from_start: Array
    strayed: Array
    """Distance from the forward point with the same number of steps; NaN on the forward path."""


@dataclass(frozen=True)
class Reversal:
    """Final deviations of a method from its start; NaN after a failure."""

    integrator: str
    steps: int
    h: float
    """[s]"""
    distance: float = math.nan
    """Largest distance over the vertices [sizes of the body]."""
    mean_distance: float = math.nan
    velocity: float = math.nan
    """Largest difference of velocities over the vertices [largest forward speed]."""
    mean_velocity: float = math.nan
    energy: float = math.nan
    """Energy gained (positive) or lost over both directions [energy in play at the start or at the turn]."""
    time_there: float = math.nan
    """[s]; for N steps of an adaptive method."""
    time_back: float = math.nan
    failure: str = ""
    """Reason of a failure."""


def check_reversible(system: System) -> None:
    """Refuse systems whose motion is irreversible, and those without motion."""
    if not len(system.free):
        raise SuppleError("every vertex is prescribed, so nothing can move")
    found = [
        words
        for present, words in (
            (system.motion.moves, "vertices that follow a moving script"),
            (system.dissipation.terms or system.impulses, "damping, friction or wind"),
            (
                system.projections,
                'obstacles without forces (law = "projection", "velocity" or "linearised"), which dissipate energy',
            ),
            (system.potential.roles.timed, f"time-dependent parameters ({', '.join(system.works)})"),
            (
                system.potential.roles.frozen,
                'obstacles with law = "repulsion", whose springs are reset in every step',
            ),
        )
        if present
    ]
    if found:
        raise SuppleError(
            f"the motion is not reversible: the scene has {' and '.join(found)}; "
            "only elastic bodies, gravity, pins, constraints and smooth contact are reversible"
        )


def reversals(
    journey: Journey, methods: Mapping[str, Integrator], tell: Callable[[], None] = lambda: None
) -> Iterator[tuple[Reversal, Trail]]:
    """Forward and back with each method; `tell` is called after each step. Failed steps are not subdivided."""
    for name, method in methods.items():
        yield _reversal(journey, name, method, tell)


def _reversal(journey: Journey, name: str, method: Integrator, tell: Callable[[], None]) -> tuple[Reversal, Trail]:
    way = _Way(journey)
    tools = StepTools(journey.system, journey.options)
    try:
        if not method.facts.order:
            raise SuppleError(f"{method.name} has no time scale, so velocities have no effect")
        with np.errstate(over="ignore", invalid="ignore"):
            turn, constants = _walk(journey, method, journey.start, {}, way.there, tools, tell)
            flipped = State(turn.t, turn.x, -turn.v)
            end, _ = _walk(journey, method, flipped, constants, way.back, tools, tell)
    except SuppleError as trouble:
        return Reversal(name, journey.steps, journey.h, failure=f"failed: {trouble}"), way.trail()
    finally:
        tools.close()
    start, free = journey.start, journey.system.free
    x = _lengths((end.x - start.x)[free]) / way.size
    v = _lengths((end.v + start.v)[free]) / (way.fastest or 1.0)
    before, after, amid = (energies(journey.system, state) for state in (start, end, turn))
    found = Reversal(
        name, journey.steps, journey.h, float(x.max()), float(x.mean()), float(v.max()), float(v.mean()),
        (after.total - before.total) / (max(before.scale, amid.scale) or 1.0), turn.t - start.t, end.t - turn.t,
    )  # fmt: skip
    return found, way.trail()


def _walk(
    journey: Journey, method: Integrator, state: State, constants: Memory, note: Callable[[int, State], None],
    tools: StepTools, tell: Callable[[], None],
) -> tuple[State, Memory]:  # fmt: skip
    """One direction, and the memory of the method if it stayed constant.

    The memory of a method is reset, since the forward path is not the past of the way back. A memory that never
    changes holds constants of the run: a step rule based on the initial energy needs the same in both directions.
    """
    memory = constants or first_memory(journey.system, method, state)
    first: Memory = {}
    for k in range(1, journey.steps + 1):
        state, memory, _ = method.advance(journey.system, state, memory, journey.h, tools)
        if not (np.isfinite(state.x).all() and np.isfinite(state.v).all()):
            raise StepFailed(f"step {k} at t = {state.t:g} s gave positions that are not finite: unstable")
        first = first or memory
        note(k, state)
        tell()
    same = journey.steps > 1 and all(np.array_equal(value, first.get(key, np.nan)) for key, value in memory.items())
    return state, memory if same else {}


class _Way:
    """Points of the forward path, and distances of the backward path from them."""

    def __init__(self, journey: Journey) -> None:
        self._start, self._steps = journey.start, journey.steps
        self._every = -(-journey.steps // KEPT)
        self._places = {0: journey.start.x}
        self._rows = [(0.0, 0.0, 0.0, math.nan)]
        self._extent = float(np.ptp(journey.start.x[journey.system.free], axis=0).max())
        self.fastest = float(_lengths(journey.start.v).max())

    @property
    def size(self) -> float:
        """Largest extent of the free vertices at the start; for a single particle the extent of its motion [m]."""
        return self._extent or max(row[2] for row in self._rows) or 1.0

    def there(self, k: int, state: State) -> None:
        self.fastest = max(self.fastest, float(_lengths(state.v).max()))
        if k % self._every == 0 or k == self._steps:
            self._places[k] = state.x
            self._keep(k, state, math.nan)

    def back(self, k: int, state: State) -> None:
        place = self._places.get(self._steps - k)
        if place is not None:
            self._keep(self._steps + k, state, float(_lengths(state.x - place).max()))

    def _keep(self, step: int, state: State, strayed: float) -> None:
        distance = float(_lengths(state.x - self._start.x).max())
        self._rows.append((float(step), state.t - self._start.t, distance, strayed))

    def trail(self) -> Trail:
        step, time, from_start, strayed = np.array(self._rows).T
        return Trail(step, time, from_start / self.size, strayed / self.size)


def _lengths(field: Array) -> Array:
    """(n,) lengths of the rows."""
    return np.sqrt((field * field).sum(axis=1))
