"""A step as a short program over vectors: linear algebra with constant coefficients between a few nonlinear instructions.

Vectors (n, 3) are symbols, numbered in order of creation: first the inputs (x0, v0, the arrays of the memory),
then one result per instruction. All operations of a method between two instructions form a `Row`: a linear combination
of symbols.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from supple.linalg.quadrature import Rule
from supple.types import Array

Row: TypeAlias = tuple[tuple[int, float], ...]
"""Symbols and their coefficients."""


@dataclass(frozen=True)
class Look:
    """A sample of a stage: its force has the factor `weight` and is evaluated at offset + scale x."""

    weight: float
    scale: float
    offset: Row


@dataclass(frozen=True)
class Part:
    """Some terms of the potential with their samples."""

    terms: tuple[int, ...]
    """Indices in the potential."""
    looks: tuple[Look, ...]
    averaged: Row | None = None
    """Start of the step, for terms replaced by their closed-form mean along the step."""


@dataclass(frozen=True)
class Solve:
    """x with inertia M (x - target) + sum of forces = 0; prescribed vertices follow their script at `time`."""

    time: float
    target: Row
    inertia: float
    parts: tuple[Part, ...]
    velocities: tuple[Look, ...]
    middle: Row | None = None
    """Configuration at which torque-free dissipation is frozen, if different from the whole step; may depend on x."""
    constrained: bool = False
    """Whether the constraints of the system hold at x, by forces along their gradients there."""


@dataclass(frozen=True)
class EquationSolve:
    """x with M (x - target) + h^2/2 [mean of grad V over the step from x0 + grad D((x - x0)/h)] = 0 (equations.py)."""

    time: float
    h: float
    target: Row
    x0: Row
    rule: Rule | None = None
    """Quadrature of the mean, except for contact with discrete gradients; None: all terms have them."""


@dataclass(frozen=True)
class Force:
    """M^-1 grad V at a point, or M^-1 grad D at a velocity."""

    point: Row
    terms: tuple[int, ...] | None
    """Terms of the potential; None: the dissipation."""
    place: Row | None = None
    """Configuration at which dissipation is evaluated, if different from the whole step."""
    middle: bool = False
    """Whether `place` applies to torque-free dissipation only."""
    time: float = 0.0


@dataclass(frozen=True)
class Place:
    """Positions with prescribed vertices set by their script."""

    row: Row
    time: float


@dataclass(frozen=True)
class Drive:
    """Velocities with prescribed vertices set by their script."""

    row: Row
    time: float


@dataclass(frozen=True)
class Free:
    """A field that is zero on prescribed vertices."""

    row: Row


Instruction: TypeAlias = Solve | EquationSolve | Force | Place | Drive | Free


@dataclass(frozen=True)
class Program:
    """A step of one length; symbol k + len(inputs) is the result of instruction k."""

    inputs: tuple[str, ...]
    """x, v, then `memory.NAME`."""
    instructions: tuple[Instruction, ...]
    outputs: dict[str, Row]
    """The new state and memory, by the same names."""

    @property
    def solves(self) -> int:
        """Results that a replay cannot compute."""
        return sum(isinstance(i, Solve | EquationSolve) for i in self.instructions)


def combined(row: Row, values: Sequence[Array]) -> Array:
    """The value of a row."""
    total = np.zeros_like(values[0])
    for symbol, factor in row:
        total += factor * values[symbol]
    return total


def rows_of(instruction: Instruction) -> list[Row]:
    """All rows that an instruction reads."""
    match instruction:
        case Place(row) | Drive(row) | Free(row):
            return [row]
        case Force(point, _, place):
            return [point] if place is None else [point, place]
        case EquationSolve(_, _, target, x0, _):
            return [target, x0]
        case Solve():
            looks = [*instruction.velocities, *(look for part in instruction.parts for look in part.looks)]
            places = [part.averaged for part in instruction.parts] + [instruction.middle]
            return [instruction.target, *(look.offset for look in looks), *(row for row in places if row is not None)]
    raise TypeError(f"unknown instruction {instruction!r}")


def pruned(program: Program) -> Program:
    """The program without instructions whose results are unused: a step computes more than its new state."""
    first = len(program.inputs)
    used = {symbol for row in program.outputs.values() for symbol, _ in row}
    for k in reversed(range(len(program.instructions))):
        if first + k in used:
            used |= {symbol for row in rows_of(program.instructions[k]) for symbol, _ in row}
    kept = [k for k in range(len(program.instructions)) if first + k in used]
    number = {k: k for k in range(first)} | {first + k: first + i for i, k in enumerate(kept)}
    return Program(
        program.inputs,
        tuple(_renumbered(program.instructions[k], number) for k in kept),
        {name: _row(row, number) for name, row in program.outputs.items()},
    )


def _row(row: Row, number: dict[int, int]) -> Row:
    return tuple((number[symbol], factor) for symbol, factor in row)


def _renumbered(instruction: Instruction, number: dict[int, int]) -> Instruction:
    def row(of: Row) -> Row:
        return _row(of, number)

    def look(of: Look) -> Look:
        return Look(of.weight, of.scale, row(of.offset))

    match instruction:
        case Place(of, time):
            return Place(row(of), time)
        case Drive(of, time):
            return Drive(row(of), time)
        case Free(of):
            return Free(row(of))
        case Force(point, terms, place, middle, time):
            return Force(row(point), terms, None if place is None else row(place), middle, time)
        case EquationSolve(time, h, target, x0, rule):
            return EquationSolve(time, h, row(target), row(x0), rule)
        case Solve(time, target, inertia, parts, velocities, middle, constrained):
            renumbered = tuple(
                Part(p.terms, tuple(map(look, p.looks)), None if p.averaged is None else row(p.averaged)) for p in parts
            )
            settled = None if middle is None else row(middle)
            return Solve(time, row(target), inertia, renumbered, tuple(map(look, velocities)), settled, constrained)
    raise TypeError(f"unknown instruction {instruction!r}")
