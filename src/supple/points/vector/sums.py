"""Sums over the nodes around one particle, generated as vector instructions.

A tile holds T nodes along each axis, T = 5 + N for splines with N nodes along an axis, with the values of a node
contiguous. The components are the lanes of a register; all loops over nodes are unrolled, and every sum has a fixed
order. With z = x/dx and f = z - b, b the index of the first node, the arm from the particle to node ijk is dx ((i, j,
k) - f).
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir

from supple.points.vector.lanes import INDEX, INT, Lanes, Value


class Sums(Lanes):
    """Sums over the nodes around one particle."""

    def __init__(self, builder: Any, size: int, offset: Value, x: Value, inverse: Value) -> None:
        """`offset`: index of the tile's node at the origin; x in lanes, `inverse` = 1/dx."""
        super().__init__(builder)
        self.size = size
        z = self.times(x, self.wide(inverse))
        first = (
            self.floor(self.less(z, self.constant(0.5))) if size == 3 else self.less(self.floor(z), self.constant(1))
        )
        self.f = self.less(z, first)
        self.weights = self._quadratic(self.f) if size == 3 else self._cubic(self.less(self.f, self.constant(1)))
        whole = builder.fptosi(first, ir.VectorType(INDEX, 4))
        i, j, k = (builder.extract_element(whole, INT(a)) for a in range(3))
        side = INDEX(5 + size)
        plane = builder.add(builder.mul(i, side), j)
        self.at = builder.add(builder.add(builder.mul(plane, side), k), offset)

    def _quadratic(self, f: Value) -> list[Value]:
        half = self.constant(0.5)
        a, b, c = self.less(self.constant(1.5), f), self.less(f, self.constant(1)), self.less(f, half)
        middle = self.less(self.constant(0.75), self.times(b, b))
        return [self.times(half, self.times(a, a)), middle, self.times(half, self.times(c, c))]

    def _cubic(self, t: Value) -> list[Value]:
        sixth, one, three = self.constant(1 / 6), self.constant(1), self.constant(3)
        s = self.less(one, t)
        square = self.times(t, t)
        second = self.fused(self.less(self.times(three, t), self.constant(6)), square, self.constant(4))
        third = self.fused(self.fused(self.fused(self.constant(-3), t, three), t, three), t, one)
        cubes = [self.times(self.times(s, s), s), second, third, self.times(square, t)]
        return [self.times(sixth, cube) for cube in cubes]

    def axis(self, a: int, lanes: int = 4) -> list[Value]:
        """The weights along one axis, each in all lanes."""
        return [self.lane(w, a, lanes) for w in self.weights]

    def node(self, i: int, j: int, k: int, lanes: int) -> Value:
        side = 5 + self.size
        return self.builder.mul(self.builder.add(self.at, INDEX((i * side + j) * side + k)), INDEX(lanes))

    def scatter(self, tile: Value, start: Value, along: list[Value]) -> None:
        """node ijk += w (start + i along_0 + j along_1 + k along_2), in as many lanes as `start` has."""
        lanes = start.type.count
        wx, wy, wz = (self.axis(a, lanes) for a in range(3))
        for i in range(self.size):
            x = self.fused(self.constant(i, lanes), along[0], start) if i else start
            for j in range(self.size):
                y = self.fused(self.constant(j, lanes), along[1], x) if j else x
                both = self.times(wx[i], wy[j])
                y, step = self.times(both, y), self.times(both, along[2])
                for k in range(self.size):
                    z = self.fused(self.constant(k, lanes), step, y) if k else y
                    place = self.node(i, j, k, lanes)
                    self.store(self.fused(wz[k], z, self.load(tile, place, lanes)), tile, place)

    def gather(self, tile: Value) -> tuple[Value, list[Value]]:
        """sum w node, and sum w i node, sum w j node, sum w k node."""
        wx, wy, wz = (self.axis(a) for a in range(3))
        numbers = range(self.size)
        planes = []
        for i in numbers:
            lines = [self.moments(wz, [self.load(tile, self.node(i, j, k, 4)) for k in numbers]) for j in numbers]
            plain, by_j = self.moments(wy, [line[0] for line in lines])
            planes.append((plain, by_j, self.mean(wy, [line[1] for line in lines])))
        plain, by_i = self.moments(wx, [plane[0] for plane in planes])
        return plain, [by_i, *(self.mean(wx, [plane[c] for plane in planes]) for c in (1, 2))]

    def mean(self, w: list[Value], values: list[Value]) -> Value:
        """sum_i w_i values_i."""
        total = self.times(w[0], values[0])
        for weight, value in zip(w[1:], values[1:], strict=True):
            total = self.fused(weight, value, total)
        return total

    def moments(self, w: list[Value], values: list[Value]) -> tuple[Value, Value]:
        """The same, and sum_i w_i i values_i."""
        parts = [self.times(weight, value) for weight, value in zip(w[1:], values[1:], strict=True)]
        first = parts[0]
        plain = self.fused(w[0], values[0], first)
        for i, part in enumerate(parts[1:], start=2):
            plain, first = self.add(plain, part), self.fused(self.constant(i), part, first)
        return plain, first
