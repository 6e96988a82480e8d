"""How far a run has come: all that the next step depends on, in a form that can be saved and restored bit for bit."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import astuple, dataclass, field, replace
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
"""Part of a step by which summed-up times may miss its end."""
IN_A_ROW = 4
"""Pieces of one length that are taken before twice as long ones are tried again."""

Saved: TypeAlias = tuple[dict[str, Any], dict[str, Array]]
"""Numbers and arrays for a checkpoint."""


@dataclass
class Progress:
    """State, memory and running sums after `step` accepted steps."""

    state: State
    memory: Memory
    ledger: Ledger
    step: int = 0
    whole_steps: int = 0
    pending: list[float] = field(default_factory=list)
    """Pieces of the current step still to be taken, the next one last [s]."""
    gave_way: bool = False
    """Whether a piece of the current step was already taken some other way: then the others are halved less often."""
    note: str = ""
    """What the user should know about the start."""
    began: float = 0.0
    """Time of the start [s]."""
    longest: float = math.inf
    """Pieces longer than this are halved without an attempt, since the last attempt at one failed [s]."""
    in_a_row: int = 0
    """Pieces as long as that which were taken since."""
    work: int = 0
    """Attempts, iterations and evaluations since the last whole step was complete."""
    witness: Witness = field(default_factory=Witness)
    """What the residues of later steps are compared with."""

    def advance(self, state: State, memory: Memory, ledger: Ledger, h: float | None = None) -> None:
        """Book one accepted step. With h, steps have lengths of their own, and whole steps are those of h [s] that
        would have fitted into the time that passed."""
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
        """Book an attempt at a piece [s] that failed; `lasting`: for a reason that outlasts the piece, as contact does."""
        if lasting:
            self.longest, self.in_a_row = piece / 2.0, 0

    def taken(self, piece: float) -> None:
        """Book a piece [s] that was taken: after some of the longest ones, twice as long ones are tried again."""
        self.in_a_row += piece == self.longest
        if self.in_a_row >= IN_A_ROW:
            self.longest, self.in_a_row = 2.0 * self.longest, 0

    def save(self, tools: StepTools) -> Saved:
        """Numbers and arrays for a checkpoint, the solver's memory included."""
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
    """The start of a run; prescribed vertices are put in their place first, then velocities along the constraints."""
    t = state.t
    x, v = np.array(state.x, np.float64, order="C"), np.array(state.v, np.float64, order="C")
    # Copies, since a read-only array (a mesh's vertices) would be another type to the kernels, to be compiled once more.
    try:
        with quiet():
            state, note = consistent(system, State(t, system.motion.place(x, t), system.motion.drive(v, t)))
            memory = first_memory(system, integrator, state)
            energies = integrator.energies(system, state, memory, tools)
    except (ArithmeticError, np.linalg.LinAlgError) as problem:
        raise SuppleError(f"the start has numbers beyond what arithmetic can carry ({problem})") from problem
    return Progress(state, memory, Ledger(energies, energies.total), note=note, began=t)


@contextmanager
def quiet() -> Iterator[None]:
    """Arithmetic without warnings on the terminal: what is not finite is found in the state and in the ledger afterwards."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def first_memory(system: System, integrator: Integrator, state: State) -> Memory:
    """What a method remembers before its first step; an error says why it cannot advance the system at all."""
    problem = integrator.refuses(system)
    if problem:
        raise SuppleError(f"integrator: {problem}")
    return integrator.start(system, state)


def restore(meta: dict[str, Any], arrays: dict[str, Array], tools: StepTools) -> Progress:
    """A run as it was saved."""
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
