"""Progress of a run: everything the next step depends on, in a form that can be saved and restored bit for bit."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import astuple, dataclass, field, replace
from numbers import Real
from typing import Any, TypeAlias

import numpy as np

from supple.dynamics.consistent import consistent
from supple.dynamics.invariants import Energies
from supple.dynamics.ledger import Ledger
from supple.dynamics.state import State
from supple.dynamics.step import GridParts, Integrator, Memory
from supple.dynamics.system import System
from supple.dynamics.witness import Witness
from supple.errors import SuppleError
from supple.solvers.tools import StepTools
from supple.types import Array

NEARLY = 1e-9
"""Fraction of a step by which accumulated times may miss its end."""
IN_A_ROW = 4
"""Substeps of one length that are taken before the length is doubled again."""

Saved: TypeAlias = tuple[dict[str, Any], dict[str, Array]]
"""Values and arrays for a checkpoint."""


@dataclass
class Progress:
    """State, memory and running sums after `step` accepted steps."""

    state: State
    memory: Memory
    ledger: Ledger
    step: int = 0
    whole_steps: int = 0
    pending: list[float] = field(default_factory=list)
    """Substeps of the current step still to be taken, the next one last [s]."""
    gave_way: bool = False
    """Whether a substep of the current step already used the fallback; the remaining ones are then halved less often."""
    note: str = ""
    """Remark about the start for the user."""
    began: float = 0.0
    """Time of the start [s]."""
    longest: float = math.inf
    """Substeps longer than this are halved without an attempt, since the last attempt at one failed [s]."""
    in_a_row: int = 0
    """Number of substeps of that length taken since."""
    work: int = 0
    """Attempts, iterations and evaluations since the last whole step was complete."""
    witness: Witness = field(default_factory=Witness)
    """Reference for judging the energy residuals of later steps."""

    def advance(self, state: State, memory: Memory, ledger: Ledger, h: float | None = None) -> None:
        """Book one accepted step. With h, step lengths vary, and full steps of h [s] are counted from the elapsed
        time."""
        self.state, self.memory, self.ledger = state, memory, ledger
        self.step += 1
        self.gave_way = self.gave_way and bool(self.pending)
        before = self.whole_steps
        if h is None:
            self.whole_steps += not self.pending
        else:
            self.whole_steps = math.floor((state.t - self.began) / h + NEARLY)
        self.work = self.work if self.whole_steps == before else 0

    def failed(self, piece: float, lasting: bool) -> None:
        """Book a failed attempt at a substep [s]; `lasting`: the cause outlasts the substep, as contact does."""
        if lasting:
            self.longest, self.in_a_row = piece / 2.0, 0

    def taken(self, piece: float) -> None:
        """Book an accepted substep [s]; after several of the longest ones, the length is doubled again."""
        self.in_a_row += piece == self.longest
        if self.in_a_row >= IN_A_ROW:
            self.longest, self.in_a_row = 2.0 * self.longest, 0

    def save(self, tools: StepTools) -> Saved:
        """Values and arrays for a checkpoint, including the solver's memory."""
        arrays = {"x": self.state.x, "v": self.state.v}
        arrays |= {f"memory.{k}": v for k, v in self.memory.items()}
        arrays |= {f"solver.{k}": v for k, v in tools.memory().items()}
        e = self.ledger.energies
        meta = {
            "t": self.state.t,
            "step": self.step,
            "whole_steps": self.whole_steps,
            "pending": self.pending,
            "gave_way": self.gave_way,
            "began": self.began,
            "longest": self.longest if self.longest < math.inf else None,
            "in_a_row": self.in_a_row,
            "energies": [e.kinetic, e.elastic, e.gravity, e.other],
            "ledger": [self.ledger.initial, self.ledger.dissipated, self.ledger.external_work, self.ledger.rescued],
            "springs": self.ledger.springs,
            "grid": list(astuple(self.ledger.grid)),
            "held": self.ledger.held,
            "timed": dict(self.ledger.timed),
            "work": self.work,
            "witness": list(astuple(self.witness)),
        }
        return meta, arrays


def begin(system: System, integrator: Integrator, state: State, tools: StepTools) -> Progress:
    """The start of a run; first moves prescribed vertices to their positions, then projects velocities onto the constraints."""
    t = start_time(state.t)
    x, v = (_start_array(array, name, system.n) for name, array in (("x", state.x), ("v", state.v)))
    try:
        with quiet():
            state, note = consistent(system, State(t, system.motion.place(x, t), system.motion.drive(v, t)))
            memory = first_memory(system, integrator, state)
            energies = integrator.energies(system, state, memory, tools)
    except (ArithmeticError, np.linalg.LinAlgError) as problem:
        raise SuppleError(f"the initial state has values beyond the range of double precision ({problem})") from problem
    return Progress(state, memory, Ledger(energies, energies.total), note=note, began=t)


def demand_step(integrator: Integrator, h: float) -> None:
    """Require a time step [s] that the method can follow."""
    if problem := integrator.refuses_step(h):
        raise SuppleError(problem)


def start_time(t: Any) -> float:
    """The time of an initial state, which must be a finite number."""
    if isinstance(t, bool) or not isinstance(t, Real) or not math.isfinite(t):
        raise SuppleError(f"start.t: found {t!r}; give the time of the initial state, a finite number [s]")
    return float(t)


def _start_array(given: Any, name: str, n: int) -> Array:
    """A copy of the positions or velocities of an initial state. A read-only array, such as a mesh's vertices, is a
    different type for the kernels and would trigger a recompilation."""
    try:
        array = np.asarray(given)
    except ValueError:  # rows of different length
        array = np.empty(0, dtype=object)
    if array.shape != (n, 3) or array.dtype.kind not in "fiu" or np.ma.is_masked(given):
        raise SuppleError(
            f"start.{name}: found shape {array.shape} of {array.dtype}; give an ({n}, 3) array of numbers, one row for each "
            "vertex of the model"
        )
    return np.array(array, np.float64, order="C")


@contextmanager
def quiet() -> Iterator[None]:
    """Arithmetic without warnings on the terminal; values that are not finite are detected later in the state and the ledger."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def first_memory(system: System, integrator: Integrator, state: State) -> Memory:
    """Memory of a method before its first step; raises an error if the method cannot advance the system at all."""
    problem = integrator.refuses(system)
    if problem:
        raise SuppleError(f"integrator: {problem}")
    return integrator.start(system, state)


def restore(meta: dict[str, Any], arrays: dict[str, Array], tools: StepTools) -> Progress:
    """A run restored from its checkpoint; a ValueError names values that no run can have saved."""
    _demand_sound(meta, arrays, tools.vertices)
    tools.restore(_within(arrays, "solver."))
    return Progress(
        State(meta["t"], arrays["x"], arrays["v"]),
        _within(arrays, "memory."),
        replace(
            Ledger(Energies(*meta["energies"]), *meta["ledger"]),
            springs=meta.get("springs", 0.0),
            grid=GridParts(*meta.get("grid", ())),
            held=meta.get("held", 0.0),
            timed=meta.get("timed", {}),
        ),
        meta["step"],
        meta["whole_steps"],
        list(meta["pending"]),
        meta.get("gave_way", False),
        began=meta["began"],
        longest=meta.get("longest") or math.inf,
        in_a_row=meta.get("in_a_row", 0),
        work=meta.get("work", 0),
        witness=Witness(*meta.get("witness", ())),
    )


def _within(arrays: dict[str, Array], prefix: str) -> dict[str, Array]:
    return {k.removeprefix(prefix): v for k, v in arrays.items() if k.startswith(prefix)}


def _demand_sound(meta: dict[str, Any], arrays: dict[str, Array], n: int) -> None:
    """Require counts, numbers and states in their places: a checkpoint may be of untrusted origin."""
    for key in ("step", "whole_steps", "in_a_row", "work"):
        if type(meta.get(key, 0)) is not int or meta.get(key, 0) < 0:
            raise ValueError(f"{key} is no count")
    single = {key: meta.get(key, 0.0) for key in ("t", "began", "springs", "held")}
    several = {key: list(meta.get(key, ())) for key in ("pending", "energies", "ledger", "grid", "witness")}
    several |= {"timed": list(dict(meta.get("timed", {})).values()), "longest": [meta.get("longest") or 0.0]}
    for key, found in {**several, **{key: [value] for key, value in single.items()}}.items():
        if any(isinstance(value, bool) or not isinstance(value, (int, float)) for value in found):
            raise ValueError(f"{key} has entries that are no numbers")
    if not all(math.isfinite(value) for value in (*single.values(), *several["pending"])):
        raise ValueError("its times are not finite")
    x, v = arrays["x"], arrays["v"]
    if not x.shape == v.shape == (n, 3) or not x.dtype == v.dtype == np.float64:
        raise ValueError(f"positions have the shape {x.shape} and velocities {v.shape}; its bodies have {n} vertices")
