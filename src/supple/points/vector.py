"""The innermost sums over the nodes of one particle, emitted as vector instructions.

A tile holds T nodes along each axis, T = 5 + N for splines with N nodes along an axis, and the numbers of a node side by side.
The components of a node are the lanes of a register, so that all loops over nodes are unrolled and every sum has one order.
Multiplications and additions are not fused.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from supple.materials.address import pointers

DOUBLE, INDEX, INT = ir.DoubleType(), ir.IntType(64), ir.IntType(32)
LANES = 8
"""Numbers of a node when particles scatter: momentum, mass, force, and one that is not used."""

Value = Any
"""A register."""


class _Sums:
    """Builder of the instructions for one particle."""

    def __init__(self, builder: Any, size: int, lanes: int, tile: Value, at: Value, weights: Value) -> None:
        self.builder, self.size, self.lanes, self.tile, self.at = builder, size, lanes, tile, at
        self.kind = ir.VectorType(DOUBLE, lanes)
        self.w = [[self.number(weights, 4 * a + i) for i in range(size)] for a in range(3)]

    def number(self, array: Value, place: int) -> Value:
        return self.builder.load(self.builder.gep(array, [INDEX(place)]))

    def wide(self, scalar: Value) -> Value:
        """The same number in all lanes."""
        one = self.builder.insert_element(ir.Constant(self.kind, ir.Undefined), scalar, INT(0))
        mask = ir.Constant(ir.VectorType(INT, self.lanes), [0] * self.lanes)
        return self.builder.shuffle_vector(one, ir.Constant(self.kind, ir.Undefined), mask)

    def constant(self, value: float) -> Value:
        return ir.Constant(self.kind, [float(value)] * self.lanes)

    def row(self, array: Value, place: int) -> Value:
        """Where the lanes of row `place` of a flat array lie."""
        return self.builder.bitcast(self.builder.gep(array, [INDEX(self.lanes * place)]), self.kind.as_pointer())

    def node(self, i: int, j: int, k: int) -> Value:
        side = 5 + self.size
        number = self.builder.add(self.at, INDEX((i * side + j) * side + k))
        place = self.builder.mul(number, INDEX(self.lanes))
        return self.builder.bitcast(self.builder.gep(self.tile, [place]), self.kind.as_pointer())

    def load(self, place: Value) -> Value:
        return self.builder.load(place, align=8)

    def store(self, value: Value, place: Value) -> None:
        self.builder.store(value, place, align=8)

    def scatter(self, rows: Value) -> None:
        """node ijk += w (rows_0 + i rows_1 + j rows_2 + k rows_3)."""
        add, times = self.builder.fadd, self.builder.fmul
        start, along = self.load(self.row(rows, 0)), [self.load(self.row(rows, a)) for a in (1, 2, 3)]
        for i in range(self.size):
            x = add(start, times(self.constant(i), along[0]))
            for j in range(self.size):
                y = add(x, times(self.constant(j), along[1]))
                both = times(self.w[0][i], self.w[1][j])
                for k in range(self.size):
                    z = add(y, times(self.constant(k), along[2]))
                    place = self.node(i, j, k)
                    self.store(add(self.load(place), times(self.wide(times(both, self.w[2][k])), z)), place)

    def gather(self, rows: Value) -> None:
        """rows_0 = sum w node, rows_1, rows_2, rows_3 = sum w (i, j, k) node."""
        add, times = self.builder.fadd, self.builder.fmul
        numbers = range(self.size)
        wide = [[self.wide(w) for w in axis] for axis in self.w]
        by_number = [[times(self.constant(i), w) for i, w in enumerate(axis)] for axis in wide]

        def total(parts: list[Value]) -> Value:
            out = parts[0]
            for part in parts[1:]:
                out = add(out, part)
            return out

        planes = []
        for i in numbers:
            lines = []
            for j in numbers:
                nodes = [self.load(self.node(i, j, k)) for k in numbers]
                lines.append([total([times(w[k], nodes[k]) for k in numbers]) for w in (wide[2], by_number[2])])
            plain, along = [[line[c] for line in lines] for c in (0, 1)]
            planes.append(
                (
                    total([times(wide[1][j], plain[j]) for j in numbers]),
                    total([times(by_number[1][j], plain[j]) for j in numbers]),
                    total([times(wide[1][j], along[j]) for j in numbers]),
                )
            )
        sums = [(wide[0], 0), (by_number[0], 0), (wide[0], 1), (wide[0], 2)]
        for row, (w, which) in enumerate(sums):
            self.store(total([times(w[i], planes[i][which]) for i in numbers]), self.row(rows, row))


def _emit(size: int, lanes: int, what: str) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        tile, weights, rows = pointers(context, builder, signature, arguments)
        getattr(_Sums(builder, size, lanes, tile, arguments[1], weights), what)(rows)
        return context.get_dummy_value()

    return codegen


@intrinsic
def scatter_quadratic(typing, tile, at, weights, rows):
    """tile (T^3, 8) += what a particle with weights (12,) and rows (32,) gives to the nodes from number `at` on."""
    return types.void(tile, at, weights, rows), _emit(3, LANES, "scatter")


@intrinsic
def scatter_cubic(typing, tile, at, weights, rows):
    """The same for cubic splines."""
    return types.void(tile, at, weights, rows), _emit(4, LANES, "scatter")


@intrinsic
def gather_quadratic(typing, tile, at, weights, rows):
    """rows (16,) of what a particle sees in a tile (T^3, 4)."""
    return types.void(tile, at, weights, rows), _emit(3, 4, "gather")


@intrinsic
def gather_cubic(typing, tile, at, weights, rows):
    """The same for cubic splines."""
    return types.void(tile, at, weights, rows), _emit(4, 4, "gather")
