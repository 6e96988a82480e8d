"""Rehearsal: a method's own step, executed once on formal vectors, yields the program of all its steps of that length.

Methods need no code for this. The program is verified: every step of a record is replayed
by it and compared (replay.py).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from supple.dynamics.contact.polish import PolishedStep
from supple.dynamics.equation import MeanForceEquation
from supple.dynamics.invariants import Energies
from supple.dynamics.mean_gradient import ElementMean
from supple.dynamics.stage import Sample, Stage
from supple.dynamics.state import State
from supple.dynamics.step import Memory, Solution
from supple.dynamics.system import System
from supple.errors import SuppleError
from supple.integrators.method import Method
from supple.linalg.quadrature import Rule
from supple.sensitivity.rehearsal.formal import (
    FormalAverage,
    FormalDissipation,
    FormalPotential,
    FormalSystem,
    NotRehearsed,
    Tape,
    formal_system,
)
from supple.sensitivity.rehearsal.program import EquationSolve, Force, Look, Part, Program, Solve, pruned
from supple.types import Array

BEYOND = "it applies nonlinear operations to positions and velocities between solves"
CONSTRAINTS = "constraints act along the whole step; backward-euler supports derivatives with them"


class _Boundless(Energies):
    """Energies that pass every check of a step."""

    @property
    def scale(self) -> float:
        return math.inf


@dataclass(frozen=True)
class FormalTools:
    """Turns the solves of a step into instructions."""

    system: FormalSystem
    energy_tolerance: float = 1e-13

    @property
    def tape(self) -> Tape:
        assert self.system.tape is not None
        return self.system.tape

    def during(self, system: System) -> FormalTools:
        assert isinstance(system, FormalSystem)
        return replace(self, system=system)

    def minimise(self, stage: Stage) -> Solution:
        if stage.equalities is not None:
            raise NotRehearsed("its stages carry equalities")
        if stage.reactions is not None and stage.reactions.at != "end":
            raise NotRehearsed(CONSTRAINTS)
        tape, row = self.tape, self.tape.row
        asked = Solve(
            stage.time,
            row(stage.target),
            stage.inertia,
            tuple(self._parts(stage)),
            tuple(self._look(s) for s in stage.velocities) if self.system.dissipation.terms else (),
            constrained=stage.reactions is not None,
        )
        middle = self.system.dissipation.middle if isinstance(self.system.dissipation, FormalDissipation) else None
        if middle is None:
            return Solution(tape.result(asked))
        # damping that follows the step: solved repeatedly to a fixed point, so the result is its own input
        last = next(k for k in reversed(range(len(tape.instructions))) if isinstance(tape.instructions[k], Solve))
        if replace(asked, middle=None) != tape.instructions[last]:
            raise NotRehearsed("it updates frozen damping other than by repeating its solve")
        tape.instructions[last] = replace(asked, middle=middle)
        return Solution(tape.unit(tape.inputs + last))

    def root(self, equation: Any, patience: int = 0) -> Array:
        rule: Rule | None = None
        if isinstance(equation, PolishedStep):
            rule = equation.path.rule
        elif not isinstance(equation, MeanForceEquation) or not isinstance(equation.mean, ElementMean):
            raise NotRehearsed("it solves an equation that is not the stationarity of a stage")
        state, h, row = equation.state, equation.h, self.tape.row
        return self.tape.result(EquationSolve(state.t + h, h, row(state.x + h * state.v), row(state.x), rule))

    def energies(self, state: State) -> Energies:
        return _Boundless(0.0, 0.0, 0.0, 0.0)

    def remember(self, state: State, energies: Energies) -> None:
        """Nothing to store."""

    def __getattr__(self, name: str) -> Any:
        if name in {"conserve", "hold", "tangent"}:
            raise NotRehearsed(CONSTRAINTS)
        what = {
            "coupled": "coupled stages",
            "linearise": "the linearised motion",
            "factor": "a factorised matrix",
            "modes": "vibration modes",
            "beside": "a grid of material points",
        }.get(name, name)
        raise NotRehearsed(f"its step uses {what}")

    def _look(self, sample: Sample) -> Look:
        offset = () if sample.offset is None else self.tape.row(sample.offset)
        return Look(float(sample.weight), float(sample.scale), offset)

    def _parts(self, stage: Stage) -> list[Part]:
        whole = ((self.system.potential, stage.positions),)
        return [part for each in (whole if stage.parts is None else stage.parts) for part in self._part(*each)]

    def _part(self, potential: Any, samples: Sequence[Sample]) -> list[Part]:
        assert isinstance(potential, FormalPotential)
        if not samples or not potential.terms:
            return []
        looks = tuple(self._look(s) for s in samples)
        starts = [t.x0 for t in potential.terms if isinstance(t, FormalAverage)]
        return [Part(potential.numbers, looks, self.tape.row(starts[0]) if starts else None)]


def rehearse(method: Method, system: System, t: float, h: float, memory: Memory, tolerance: float) -> Program:
    """The program of a step of h [s] at time t; arrays of the memory over vertices are inputs, its scalars are constants.

    Raises SuppleError with the reason where a step uses an operation without a derivative.
    """
    fields = sorted(key for key, value in memory.items() if value.shape == (system.n, 3))
    others = {key: value for key, value in memory.items() if key not in fields}
    inputs = ("x", "v", *(f"memory.{key}" for key in fields))
    tape = Tape(len(inputs))
    x, v, *rest = (tape.unit(k) for k in range(len(inputs)))
    stand_in = formal_system(system, tape, method.freezes_at is not None)
    try:
        new, after, _ = method.step(
            stand_in, State(t, x, v), others | dict(zip(fields, rest, strict=True)), h, FormalTools(stand_in, tolerance)
        )
        outputs = {"x": tape.row(new.x), "v": tape.row(new.v)}
        outputs |= {f"memory.{k}": tape.row(a) for k, a in after.items() if np.shape(a) == x.shape}
    except NotRehearsed as reason:
        raise SuppleError(f"{method.name}: no derivatives of its steps, since {reason}") from None
    except Exception as problem:  # formal vectors have no norms, vertices or values: any use of them may fail
        raise SuppleError(f"{method.name}: no derivatives of its steps, since {BEYOND}") from problem
    program = pruned(Program(inputs, tuple(tape.instructions), outputs))
    unseen = sorted({type(system.potential.terms[k]).__name__ for k in _unseen(program, len(system.potential.terms))})
    if unseen:
        raise SuppleError(
            f"{method.name}: no derivatives of its steps, since they compute the forces of {', '.join(unseen)} themselves"
        )
    return program


def _unseen(program: Program, count: int) -> set[int]:
    """Terms of the potential that a program does not use."""
    left = set(range(count))
    for asked in program.instructions:
        if isinstance(asked, EquationSolve):
            return set()
        if isinstance(asked, Solve):
            left -= {k for part in asked.parts for k in part.terms}
        elif isinstance(asked, Force) and asked.terms is not None:
            left -= set(asked.terms)
    return left


def rehearse_start(method: Method, system: System) -> Program:
    """The program of a start: prescribed vertices in position, and the memory of the method before its first step."""
    tape = Tape(2)
    stand_in = formal_system(system, tape, frozen=False)
    x, v = stand_in.motion.place(tape.unit(0), 0.0), stand_in.motion.drive(tape.unit(1), 0.0)
    try:
        memory = method.start(stand_in, State(0.0, x, v))
    except NotRehearsed as reason:
        raise SuppleError(f"{method.name}: no derivatives of its start, since {reason}") from None
    except Exception as problem:
        raise SuppleError(f"{method.name}: no derivatives of its start, since {BEYOND}") from problem
    outputs = {"x": tape.row(x), "v": tape.row(v)}
    outputs |= {f"memory.{k}": tape.row(a) for k, a in memory.items() if np.shape(a) == x.shape}
    return pruned(Program(("x", "v"), tuple(tape.instructions), outputs))
