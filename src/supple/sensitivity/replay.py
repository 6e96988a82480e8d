"""A recorded step, and its replay by a program: the values that sweeps need."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from supple.dynamics.potential import Potential
from supple.dynamics.stage import Sample, Stage, StageObjective
from supple.dynamics.state import State
from supple.dynamics.step import Memory
from supple.dynamics.system import System
from supple.energies.roles.averages import AveragedOverSteps
from supple.errors import SuppleError
from supple.integrators.method import Method
from supple.sensitivity.rehearsal.program import (
    Drive,
    EquationSolve,
    Force,
    Free,
    Look,
    Part,
    Place,
    Program,
    Row,
    Solve,
    combined,
)
from supple.types import Array


@dataclass(frozen=True)
class Step:
    """One step that a run took."""

    before: State
    memory: Memory
    """State before the step."""
    h: float
    solved: tuple[Array, ...]
    """Results of its solves; the last ones if some were rejected."""
    program: Program
    after: State


class Played:
    """The values of all symbols of a step, with the system as in the step."""

    def __init__(self, system: System, method: Method, step: Step) -> None:
        self.step, self.h, self.t = step, step.h, step.before.t
        self.live = system
        self.system = during(system, method, step)
        inputs = {"x": step.before.x, "v": step.before.v}
        inputs |= {f"memory.{key}": value for key, value in step.memory.items()}
        self.values: list[Array] = [inputs[name] for name in step.program.inputs]
        solved = iter(step.solved)
        for instruction in step.program.instructions:
            self.values.append(
                next(solved) if isinstance(instruction, Solve | EquationSolve) else self._value(instruction)
            )

    def of(self, row: Row) -> Array:
        """The value of a row."""
        return combined(row, self.values)

    def dissipation_at(self, force: Force, system: System | None = None) -> Potential:
        """The dissipation used by a force, of this or of a neighbouring system."""
        system = system or self.system
        if force.place is None:
            return system.dissipation.frozen
        place = self.of(force.place)
        if force.middle:
            return system.moved(place).dissipation.frozen
        return system.dissipation.at(place, self.t + force.time, self.of(force.point))

    def force(self, force: Force, system: System | None = None) -> Array:
        """M^-1 grad of V or D, of this or of a neighbouring system."""
        system = system or self.system
        point = self.of(force.point)
        if force.terms is None:
            gradient = self.dissipation_at(force, system).gradient(point)
        else:
            gradient = chosen(system.potential, self._like(force.terms, system)).gradient(point)
        return gradient / system.mass[:, None]

    def stage(self, asked: Solve, x: Array, system: System | None = None) -> StageObjective:
        """The stage that was solved for x, of this or of a neighbouring system."""
        mine = system or self.system
        if asked.middle is not None:
            mine = mine.moved(self.of(asked.middle))
        stage = Stage(
            time=self.t + asked.time,
            target=self.of(asked.target),
            positions=(),
            parts=tuple(self._part(part, mine) for part in asked.parts),
            origin=x,
            start=x,
            velocities=tuple(self.sample(look) for look in asked.velocities),
            inertia=asked.inertia,
        )
        return StageObjective(mine, stage)

    def sample(self, look: Look) -> Sample:
        return Sample(look.weight, look.scale, self.of(look.offset) if look.offset else None)

    def _part(self, part: Part, system: System) -> tuple[Potential, tuple[Sample, ...]]:
        terms = chosen(system.potential, self._like(part.terms, system))
        if part.averaged is not None:
            terms = averaged(terms, self.of(part.averaged))
        return terms, tuple(self.sample(look) for look in part.looks)

    def _like(self, terms: tuple[int, ...], system: System) -> tuple[int, ...] | None:
        """The same choice of terms in a neighbouring system; all if all are selected."""
        count = len(self.system.potential.terms)
        if len(terms) == count:
            return None
        if len(system.potential.terms) != count:
            raise SuppleError(
                "a neighbouring value of this parameter creates different energy terms, so it has no derivative"
            )
        return terms

    def _value(self, instruction: Force | Place | Drive | Free) -> Array:
        match instruction:
            case Force():
                return self.force(instruction)
            case Place(row, time):
                return self.system.motion.place(self.of(row), self.t + time)
            case Drive(row, time):
                return self.system.motion.drive(self.of(row), self.t + time)
            case Free(row):
                return self.system.on_free(self.of(row))


def during(system: System, method: Method, step: Step) -> System:
    """A system during a step: terms that depend on the configuration are frozen where the method freezes them. A start (h = 0)
    freezes nothing."""
    if step.h == 0.0:
        return system
    return system.during(step.before, step.h, method.freezes_at, method.sticks_at_end)


def chosen(potential: Potential, terms: Sequence[int] | None) -> Potential:
    """Some terms of a potential, by index; None: all."""
    if terms is None:
        return potential
    picked = {id(potential.terms[k]) for k in terms}
    return potential.only(lambda term: id(term) in picked)


def averaged(closed: Potential, x0: Array) -> Potential:
    """Terms in closed form, as their means along steps from x0."""
    return closed.replaced([t.averaged(x0) for t in closed.terms if isinstance(t, AveragedOverSteps)])


def points(samples: Sequence[Sample], x: Array) -> Array:
    """(q, n, 3) sample positions of a stage."""
    found = np.empty((len(samples), *x.shape))
    for point, sample in zip(found, samples, strict=True):
        np.multiply(x, sample.scale, out=point)
        if sample.offset is not None:
            point += sample.offset
    return found
