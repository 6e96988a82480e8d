"""Time reversal as a check: so many steps, all velocities turned round, as many steps back.

Without damping, wind or moving scripts the motion of a body can be run backwards: from (x, -v) it goes the way it came. A
symmetric method, whose step of -h undoes a step of h, does so as well, up to how well its equations were solved and how
much the motion amplifies errors. A method that damps does not.

Free vertices count. Distances are relative to the size of the body, their largest extent at the start; velocities to the
largest speed on the way there. `strayed` compares the way back with the way there at the same number of steps from the start.
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
"""Places of the way there that are remembered at most, so that long runs of large bodies fit into memory."""


@dataclass(frozen=True)
class Journey:
    """What is run there and back: a system from its (placed) start, so many steps of h [s] each way."""

    system: System
    start: State
    h: float
    steps: int
    options: SolverOptions

    def __post_init__(self) -> None:
        check_reversible(self.system)


@dataclass(frozen=True)
class Trail:
    """Largest distances of a vertex on the way, in sizes of the body; one entry for each place that was kept."""

    step: Array
    """0 to twice the steps of one way."""
    time: Array
    """Since the start, the way back included [s]."""
    from_start: Array
    strayed: Array
    """From the place of the way there with as many steps from the start; NaN on the way there."""


@dataclass(frozen=True)
class Reversal:
    """How near to its start a method came back; NaN after a failure."""

    integrator: str
    steps: int
    h: float
    """[s]"""
    distance: float = math.nan
    """Largest over the vertices [sizes of the body]."""
    mean_distance: float = math.nan
    velocity: float = math.nan
    """Largest difference of velocities over the vertices [largest speed on the way there]."""
    mean_velocity: float = math.nan
    energy: float = math.nan
    """Energy gained (positive) or lost there and back [energy in play at the start or at the turn]."""
    time_there: float = math.nan
    """[s]; N steps of a method that chooses its own."""
    time_back: float = math.nan
    failure: str = ""
    """Why it did not come back."""


def check_reversible(system: System) -> None:
    """Refuse systems whose motion has a direction in time, and those without motion."""
    if not len(system.free):
        raise SuppleError("every vertex is prescribed; there is nothing that could move")
    found = [
        words
        for present, words in (
            (system.motion.moves, "vertices that follow a moving script"),
            (system.dissipation.terms or system.impulses, "damping, friction or wind"),
            (
                system.projections,
                'obstacles without forces (law = "projection", "velocity" or "linearised"), at which energy is lost',
            ),
            (system.potential.roles.timed, f"numbers that change with time ({', '.join(system.works)})"),
            (
                system.potential.roles.frozen,
                'obstacles with law = "repulsion", whose springs are set anew in every step',
            ),
        )
        if present
    ]
    if found:
        raise SuppleError(
            f"there is no way back: the scene has {' and '.join(found)}; "
            "only elastic bodies, gravity, pins, constraints and smooth contact let time be reversed"
        )


def reversals(
    journey: Journey, methods: Mapping[str, Integrator], tell: Callable[[], None] = lambda: None
) -> Iterator[tuple[Reversal, Trail]]:
    """There and back with each method; `tell` is called after each step. A step that fails is not taken in halves."""
    for name, method in methods.items():
        yield _reversal(journey, name, method, tell)


def _reversal(journey: Journey, name: str, method: Integrator, tell: Callable[[], None]) -> tuple[Reversal, Trail]:
    way = _Way(journey)
    tools = StepTools(journey.system, journey.options)
    try:
        if not method.facts.order:
            raise SuppleError(f"{method.name} has no time scale, so that velocities mean nothing to it")
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
    """One way, and the memory of the method if it was the same from the first step on.

    What a method remembers of its past begins anew, since the way there is no past of the way back. A memory that never
    changes holds constants of the run: a rule for steps that looks at the energy of the start needs the same both ways.
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
    """Places on the way there, and how far from them the way back goes."""

    def __init__(self, journey: Journey) -> None:
        self._start, self._steps = journey.start, journey.steps
        self._every = -(-journey.steps // KEPT)
        self._places = {0: journey.start.x}
        self._rows = [(0.0, 0.0, 0.0, math.nan)]
        self._extent = float(np.ptp(journey.start.x[journey.system.free], axis=0).max())
        self.fastest = float(_lengths(journey.start.v).max())

    @property
    def size(self) -> float:
        """Largest extent of the free vertices at the start; a single particle has that of its motion [m]."""
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
