"""Operations of one particle on its nodes, generated as vector instructions; intrinsics.py describes each of them.

Matrices of particles (C, F, stress) are stored by columns. Parameters shared by all particles are in `numbers` (8,):
1/dx, dx or 0 as C is used or not, -dx/D, dx/D, h, a, c (see transfer.py), and D or 0 as C is used or not.
"""

from __future__ import annotations

from typing import Any

from supple.points.vector.lanes import INDEX, Lanes, Value
from supple.points.vector.sums import Sums

INVERSE, GIVEN, PRESSED, SLOPE, STEP, KEPT, KEPT_AFFINE, INERTIA = range(8)
"""Indices into `numbers`."""
KINETIC, WORK, HEAT, PUSHED, STRAYED, LOW, HIGH, FASTEST = range(8)
"""Rows (4,) of the sums of a block: energies in lanes [J], bounds of positions, the largest |v|^2 in lane 0."""


class _Particle(Lanes):
    """Registers of particle p; q and t are its rows in arrays that may have only one."""

    def __init__(self, builder: Any, numbers: Value, p: Value) -> None:
        super().__init__(builder)
        self.p, self.numbers = p, numbers

    def number(self, which: int) -> Value:
        return self.scalar(self.numbers, INDEX(which))

    def vector(self, array: Value, row: Value | None = None) -> Value:
        """Row p of an array (n, 3), or another one."""
        return self.load3(array, self.builder.mul(self.p if row is None else row, INDEX(3)))

    def set_vector(self, value: Value, array: Value) -> None:
        self.store3(value, array, self.builder.mul(self.p, INDEX(3)))

    def column(self, c: int, row: Value | None = None) -> Value:
        """Address of column c of the matrix in row p."""
        start = self.builder.mul(self.p if row is None else row, INDEX(9))
        return self.builder.add(start, INDEX(3 * c))

    def columns(self, array: Value, row: Value | None = None) -> list[Value]:
        return [self.load3(array, self.column(c, row)) for c in range(3)]

    def sums(self, size: int, offset: Value, x: Value) -> Sums:
        return Sums(self.builder, size, offset, self.vector(x), self.builder.load(self.numbers))

    def total(self, a: list[Value], b: list[Value]) -> Value:
        """a_0 b_0 + a_1 b_1 + a_2 b_2."""
        return self.fused(a[2], b[2], self.fused(a[1], b[1], self.times(a[0], b[0])))


def leave(builder: Any, size: int, tile, offset, p, q, t, numbers, x, v, C, tau, thick, mass, volume, push) -> None:
    one = _Particle(builder, numbers, p)
    sums = one.sums(size, offset, x)
    m = one.scalar(mass, p)
    a, s = one.times(one.number(GIVEN), m), one.times(one.number(PRESSED), one.scalar(volume, p))
    momentum, force, along = one.times(m, one.vector(v)), one.vector(push, q), []
    stresses = zip(one.columns(tau), one.columns(thick, t), strict=True)
    for c, (column, (elastic, viscous)) in enumerate(zip(one.columns(C), stresses, strict=True)):
        arm = one.lane(sums.f, c)
        A, S = one.times(a, column), one.times(s, one.add(elastic, viscous))
        momentum, force = one.less(momentum, one.times(arm, A)), one.less(force, one.times(arm, S))
        along.append(one.shuffled(A, S, range(8)))
    momentum = one.shuffled(momentum, m, (0, 1, 2, 4))
    sums.scatter(tile, one.shuffled(momentum, force, range(8)), along)


def give(builder: Any, size: int, tile, offset, p, q, t, numbers, x, values, columns) -> None:
    one = _Particle(builder, numbers, p)
    sums = one.sums(size, offset, x)
    start, along = one.load(values, builder.mul(q, INDEX(4))), one.columns(columns, t)
    for c, column in enumerate(along):
        start = one.less(start, one.times(one.lane(sums.f, c), column))
    sums.scatter(tile, start, along)


def resist(builder: Any, size: int, tile, out, offset, p, numbers, x, A) -> None:
    one = _Particle(builder, numbers, p)
    sums = one.sums(size, offset, x)
    mean, by_axis = sums.gather(tile)
    row, along, start = builder.mul(p, INDEX(81)), [one.constant(0)] * 3, one.constant(0)
    arms = [one.lane(sums.f, a) for a in range(3)]
    for d, each in enumerate(by_axis):
        G = one.less(each, one.times(arms[d], mean))
        for m in range(3):
            g = one.lane(G, m)
            places = [builder.add(row, INDEX(9 * (3 * d + m) + 3 * c)) for c in range(3)]
            along = [one.fused(one.load_single(A, at), g, total) for at, total in zip(places, along, strict=True)]
    for arm, column in zip(arms, along, strict=True):
        start = one.less(start, one.times(arm, column))
    sums.scatter(out, start, along)


def see(builder: Any, size: int, tile, offset, p, numbers, x, seen) -> None:
    one = _Particle(builder, numbers, p)
    sums, slope = one.sums(size, offset, x), one.number(SLOPE)
    mean, by_axis = sums.gather(tile)
    one.store(mean, seen, INDEX(0))
    for a, each in enumerate(by_axis):
        B = one.times(slope, one.less(each, one.times(one.lane(sums.f, a), mean)))
        one.store(B, seen, INDEX(4 * (a + 1)))


def deform(builder: Any, p, numbers, seen, F) -> None:
    one = _Particle(builder, numbers, p)
    step = one.number(STEP)
    B = [one.times(step, one.load(seen, INDEX(4 * a))) for a in (1, 2, 3)]
    for c, column in enumerate(one.columns(F)):
        change = one.total(B, [one.lane(column, k) for k in range(3)])
        one.store3(one.add(column, change), F, one.column(c))


def move(builder: Any, p, q, t, off, numbers, seen, own, x, v, C, tau, thick, mass, volume, push, g, sums) -> None:
    one = _Particle(builder, numbers, p)
    step, m, volume_ = one.number(STEP), one.scalar(mass, p), one.scalar(volume, p)
    mean, B = one.load(seen, INDEX(0)), [one.load(seen, INDEX(4 * a)) for a in (1, 2, 3)]
    kept = one.less(one.vector(v), one.load(own, INDEX(0)))
    away = one.times(one.wide(off), kept)
    gone = one.times(step, mean)
    place = one.add(one.vector(x), one.add(gone, away))
    speed = one.fused(one.number(KEPT), kept, mean)
    keep, spin = one.number(KEPT_AFFINE), one.constant(0)
    for a, column in enumerate(one.columns(C)):
        own_column = one.load(own, INDEX(4 * (a + 1)))
        after = one.fused(keep, one.less(column, own_column), B[a])
        one.store3(after, C, one.column(a))
        spin = one.fused(after, after, spin)
    one.set_vector(place, x)
    one.set_vector(speed, v)
    squares = one.times(speed, speed)
    rate = one.times(step, volume_)

    def add(row: int, value: Value) -> None:
        one.store(one.add(one.load(sums, INDEX(4 * row)), value), sums, INDEX(4 * row))

    add(KINETIC, one.times(m, one.fused(one.number(INERTIA), spin, squares)))
    add(WORK, one.times(rate, one.total(one.columns(tau), B)))
    add(HEAT, one.times(rate, one.total(one.columns(thick, t), B)))
    add(PUSHED, one.times(one.vector(push, q), gone))
    add(STRAYED, one.times(one.times(m, one.load3(g, INDEX(0))), away))
    whole = one.add(
        squares, one.add(one.shuffled(squares, squares, (1, 2, 0, 3)), one.shuffled(squares, squares, (2, 0, 1, 3)))
    )
    for row, bound, value in ((LOW, one.smaller, place), (HIGH, one.larger, place), (FASTEST, one.larger, whole)):
        one.store(bound(value, one.load(sums, INDEX(4 * row))), sums, INDEX(4 * row))
