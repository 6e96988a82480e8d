"""Registers of one particle: vectors of components, emitted as instructions.

A vector has four lanes: three components, and one that is zero where it is loaded. `a b + c` is `fmuladd`, which the
compiler always fuses where the machine supports it, regardless of context: the same machine always gives the same bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from llvmlite import ir

DOUBLE, INDEX, INT = ir.DoubleType(), ir.IntType(64), ir.IntType(32)
Value = Any
"""A register, or the address of an array."""


class Lanes:
    """Arithmetic of vectors, on top of a builder of instructions."""

    def __init__(self, builder: Any) -> None:
        self.builder = builder

    def load3(self, array: Value, place: Value) -> Value:
        """(3 values starting at `place`, 0)."""
        pair = ir.VectorType(DOUBLE, 2)
        first = self.builder.load(self._at(array, place, pair), align=8)
        last = self.builder.load(self._at(array, self.builder.add(place, INDEX(2))))
        rest = self.builder.insert_element(ir.Constant(pair, [0.0, 0.0]), last, INT(0))
        return self.shuffled(first, rest, range(4))

    def store3(self, value: Value, array: Value, place: Value) -> None:
        """The first three lanes."""
        first = self.shuffled(value, value, (0, 1))
        self.builder.store(first, self._at(array, place, first.type), align=8)
        last = self.builder.extract_element(value, INT(2))
        self.builder.store(last, self._at(array, self.builder.add(place, INDEX(2))))

    def load(self, array: Value, place: Value, lanes: int = 4) -> Value:
        return self.builder.load(self._at(array, place, ir.VectorType(DOUBLE, lanes)), align=8)

    def load_single(self, array: Value, place: Value) -> Value:
        """Four single-precision values."""
        kind = ir.VectorType(ir.FloatType(), 4)
        single = self.builder.load(self._at(array, place, kind), align=4)
        return self.builder.fpext(single, ir.VectorType(DOUBLE, 4))

    def store(self, value: Value, array: Value, place: Value) -> None:
        self.builder.store(value, self._at(array, place, value.type), align=8)

    def scalar(self, array: Value, place: Value) -> Value:
        """One value, loaded into all lanes."""
        return self.wide(self.builder.load(self._at(array, place)))

    def wide(self, scalar: Value, lanes: int = 4) -> Value:
        """The same value in all lanes."""
        kind = ir.VectorType(DOUBLE, lanes)
        one = self.builder.insert_element(ir.Constant(kind, ir.Undefined), scalar, INT(0))
        return self.shuffled(one, one, [0] * lanes)

    def lane(self, value: Value, which: int, lanes: int = 4) -> Value:
        """One lane of a vector in all lanes of another."""
        return self.shuffled(value, value, [which] * lanes)

    def shuffled(self, one: Value, two: Value, lanes: Sequence[int]) -> Value:
        mask = ir.Constant(ir.VectorType(INT, len(lanes)), list(lanes))
        return self.builder.shuffle_vector(one, two, mask)

    def constant(self, value: float, lanes: int = 4) -> Value:
        return ir.Constant(ir.VectorType(DOUBLE, lanes), [float(value)] * lanes)

    def times(self, a: Value, b: Value) -> Value:
        return self.builder.fmul(a, b)

    def add(self, a: Value, b: Value) -> Value:
        return self.builder.fadd(a, b)

    def less(self, a: Value, b: Value) -> Value:
        return self.builder.fsub(a, b)

    def fused(self, a: Value, b: Value, c: Value) -> Value:
        """a b + c."""
        return self._call("llvm.fmuladd", a, b, c)

    def floor(self, a: Value) -> Value:
        return self._call("llvm.floor", a)

    def larger(self, a: Value, b: Value) -> Value:
        """Lane by lane; b where either is NaN."""
        return self.builder.select(self.builder.fcmp_ordered(">", a, b), a, b)

    def smaller(self, a: Value, b: Value) -> Value:
        return self.builder.select(self.builder.fcmp_ordered("<", a, b), a, b)

    def _call(self, name: str, *given: Value) -> Value:
        kind = given[0].type
        function = self.builder.module.declare_intrinsic(
            f"{name}.v{kind.count}f64", (), ir.FunctionType(kind, [kind] * len(given))
        )
        return self.builder.call(function, given)

    def _at(self, array: Value, place: Value, kind: Any = DOUBLE) -> Value:
        return self.builder.bitcast(self.builder.gep(array, [place]), kind.as_pointer())
