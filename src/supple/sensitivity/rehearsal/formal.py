"""A system of formal vectors, on which a method's own step can be rehearsed.

A formal vector is an array (K, 3) whose row k is the coefficient of symbol k: NumPy does the linear algebra of the method on
coefficients instead of values. Masses are 1, so a formal force divided by the mass means M^-1 grad V. Nonlinear
operations go through the potential, the dissipation, the motion or the tools, and become instructions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from supple.constraints.motion import Motion
from supple.dynamics.dissipation import Dissipation
from supple.dynamics.potential import Potential
from supple.dynamics.roles import sorted_by_role
from supple.dynamics.system import System
from supple.energies.samples import Samples, one_sample
from supple.energies.term import EnergyTerm
from supple.errors import SuppleError
from supple.sensitivity.rehearsal.program import Drive, Force, Free, Instruction, Place, Row
from supple.types import Array, Ints

SYMBOLS = 96
"""Largest number of inputs and results of one step."""


class NotRehearsed(SuppleError):
    """A step uses an operation without a derivative."""


@dataclass
class Tape:
    """Instructions in the order of the step."""

    inputs: int
    instructions: list[Instruction] = field(default_factory=list)

    def unit(self, symbol: int) -> Array:
        """The formal vector of one symbol."""
        if symbol >= SYMBOLS:
            raise NotRehearsed("its step has too many instructions")
        vector = np.zeros((SYMBOLS, 3))
        vector[symbol] = 1.0
        return vector

    def result(self, instruction: Instruction) -> Array:
        """Note an instruction; the formal vector of its result."""
        self.instructions.append(instruction)
        return self.unit(self.inputs + len(self.instructions) - 1)

    @staticmethod
    def row(vector: Array) -> Row:
        """The coefficients of a formal vector."""
        column = vector[:, 0]
        if not ((vector == column[:, None]).all() and np.isfinite(column).all()):
            raise NotRehearsed("its step is not the same linear algebra for all axes")
        return tuple((int(k), float(column[k])) for k in np.flatnonzero(column))


class FormalTerm(EnergyTerm):
    """Placeholder for a term of the real potential: same roles, same degree, no values."""

    index: int

    def averaged(self, x0: Array) -> EnergyTerm:
        """Its mean along steps from x0, in closed form."""
        return FormalAverage(self.index, x0)

    def coupling_means(self, x0: Array, x1: Array) -> Sequence[tuple[Ints, Array]]:
        """Not supported: discrete gradients are part of an equation."""
        return ()


class FormalAverage(EnergyTerm):
    """The mean of a term along the step."""

    def __init__(self, index: int, x0: Array) -> None:
        self.index, self.x0 = index, x0


def formal_term(term: EnergyTerm, index: int) -> EnergyTerm:
    """The placeholder of a term: an instance of the term's class, so a method sees the same roles, but without its data: a
    method that accesses it fails at once."""
    facts = {name: getattr(term, name) for name in ("degree", "keeps_apart", "rule") if hasattr(term, name)}
    kind = type(f"Formal{type(term).__name__}", (FormalTerm, type(term)), facts)
    made: Any = object.__new__(kind)
    made.index, made.elements = index, term.elements[:0]
    return made


class FormalPotential(Potential):
    """A potential whose forces become instructions."""

    def __init__(self, tape: Tape, terms: Sequence[EnergyTerm], dissipation: Force | None = None) -> None:
        """`dissipation`: used instead of the force of these terms."""
        self.tape, self.terms, self.dissipation = tape, tuple(terms), dissipation
        self._kept = {}
        self.roles = sorted_by_role(self.terms)

    def replaced(self, terms: Sequence[EnergyTerm]) -> Potential:
        return FormalPotential(self.tape, terms, self.dissipation)

    def only(self, chosen: Callable[[EnergyTerm], bool]) -> Potential:
        return FormalPotential(self.tape, [t for t in self.terms if chosen(t)], self.dissipation)

    @property
    def numbers(self) -> tuple[int, ...]:
        """Indices of the terms in the real potential."""
        return tuple(term.index for term in self.terms if isinstance(term, FormalTerm | FormalAverage))

    def contributions(self, samples: Samples) -> Iterator[tuple[EnergyTerm, float, Array]]:
        total = np.zeros((SYMBOLS, 3))
        for x, force in zip(samples.x, samples.force, strict=True):
            row = self.tape.row(x)
            asked = Force(row, self.numbers) if self.dissipation is None else replace(self.dissipation, point=row)
            total += force * self.tape.result(asked)
        if self.terms:
            yield self.terms[0], 0.0, total

    def gradient(self, x: Array) -> Array:
        return self.weighted_gradient(one_sample(x))

    def passes(self, x0: Array, x1: Array) -> bool:
        """No limit: the rehearsed step was taken without penetration."""
        return False

    def by_group(self, x: Array) -> dict[str, float]:
        return {"elastic": 0.0, "gravity": 0.0, "other": 0.0}


class FormalDissipation(Dissipation):
    """Dissipation whose forces are instructions, frozen for the whole step, at a midpoint, or at requested states."""

    def __init__(self, tape: Tape, real: Dissipation, frozen: bool, middle: Row | None = None) -> None:
        super().__init__(FormalPotential(tape, [formal_term(t, k) for k, t in enumerate(real.terms)]))
        self._tape, self._real, self._is_frozen, self.middle = tape, real, frozen, middle

    @property
    def changes(self) -> bool:
        return self._real.changes

    @property
    def follows(self) -> bool:
        return self._is_frozen and self._real.follows

    @property
    def freezes_again(self) -> bool:
        if self._real.freezes_again:
            raise NotRehearsed(
                "friction depends on contact forces of the same step; methods that freeze them, such as "
                "backward-euler or bdf2, support derivatives with friction"
            )
        return False

    @property
    def meets_air(self) -> bool:
        return False

    @property
    def frozen(self) -> Potential:
        return FormalPotential(self._tape, self.terms, Force((), None, self.middle, self.middle is not None))

    def at(self, x: Array, t: float, v: Array | None = None) -> Potential:
        if self._is_frozen or not self.changes:
            return self.frozen
        return FormalPotential(self._tape, self.terms, Force((), None, self._tape.row(x), False, t))

    def moved(self, place: Array, end: Array | None = None) -> Dissipation:
        return FormalDissipation(self._tape, self._real, self._is_frozen, self._tape.row(place))


@dataclass(frozen=True)
class FormalMotion(Motion):
    """Sets prescribed vertices by instructions, if there are any."""

    tape: Tape | None = None
    real: Motion = field(default_factory=Motion)

    @property
    def moves(self) -> bool:
        return False

    def held(self, n: int) -> np.ndarray:
        raise NotRehearsed("its step accesses prescribed vertices individually; use System.on_free instead")

    def place(self, x: Array, t: float) -> Array:
        assert self.tape is not None
        return self.tape.result(Place(self.tape.row(x), t)) if self.real.prescribed else x

    def drive(self, v: Array, t: float) -> Array:
        assert self.tape is not None
        return self.tape.result(Drive(self.tape.row(v), t)) if self.real.prescribed else v


@dataclass(frozen=True)
class FormalSystem(System):
    """The system as a method sees it in a rehearsal."""

    tape: Tape | None = None

    def on_free(self, field: Array) -> Array:
        assert self.tape is not None
        assert isinstance(self.motion, FormalMotion)
        return self.tape.result(Free(self.tape.row(field))) if self.motion.real.prescribed else field.copy()


def formal_system(system: System, tape: Tape, frozen: bool) -> FormalSystem:
    """The placeholder of a system; `frozen`: whether the method freezes dissipation in a step."""
    terms = [formal_term(term, k) for k, term in enumerate(system.potential.terms)]
    return FormalSystem(
        np.ones(SYMBOLS),
        FormalPotential(tape, terms),
        FormalDissipation(tape, system.dissipation, frozen),
        FormalMotion((), tape, system.motion),
        np.arange(SYMBOLS, dtype=np.int32),
        system.pattern,
        constraints=system.constraints,
        tape=tape,
    )
