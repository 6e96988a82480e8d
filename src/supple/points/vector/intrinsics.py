"""Operations of one particle on its nodes, for loops over particles; particle.py defines the instructions and `numbers`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import types
from numba.extending import intrinsic

from supple.materials.address import pointers
from supple.points.vector import particle


def _emit(build: Callable[..., None], *options: int) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        arrays = iter(pointers(context, builder, signature, arguments))
        pairs = zip(signature.args, arguments, strict=True)
        values = [next(arrays) if isinstance(kind, types.Array) else value for kind, value in pairs]
        build(builder, *options, *values)
        return context.get_dummy_value()

    return codegen


@intrinsic
def leave_quadratic(typing, tile, offset, p, q, t, numbers, x, v, C, tau, thick, mass, volume, push):
    """A particle adds momentum, mass and force to a tile (T^3, 8); `offset`: index of the tile's node at the origin."""
    return types.void(tile, offset, p, q, t, numbers, x, v, C, tau, thick, mass, volume, push), _emit(particle.leave, 3)


@intrinsic
def leave_cubic(typing, tile, offset, p, q, t, numbers, x, v, C, tau, thick, mass, volume, push):
    """The same for cubic splines."""
    return types.void(tile, offset, p, q, t, numbers, x, v, C, tau, thick, mass, volume, push), _emit(particle.leave, 4)


@intrinsic
def give_quadratic(typing, tile, offset, p, q, t, numbers, x, values, columns):
    """A particle adds w (values + columns r/dx) to a tile (T^3, 4); it has rows q and t of values
    (., 4) and columns (., 9)."""
    return types.void(tile, offset, p, q, t, numbers, x, values, columns), _emit(particle.give, 3)


@intrinsic
def give_cubic(typing, tile, offset, p, q, t, numbers, x, values, columns):
    """The same for cubic splines."""
    return types.void(tile, offset, p, q, t, numbers, x, values, columns), _emit(particle.give, 4)


@intrinsic
def resist_quadratic(typing, tile, out, offset, p, numbers, x, A):
    """A particle of stiffness A (n + 1, 81), in single precision, reads a displacement from a tile (T^3, 4) and adds
    its forces to another one."""
    return types.void(tile, out, offset, p, numbers, x, A), _emit(particle.resist, 3)


@intrinsic
def resist_cubic(typing, tile, out, offset, p, numbers, x, A):
    """The same for cubic splines."""
    return types.void(tile, out, offset, p, numbers, x, A), _emit(particle.resist, 4)


@intrinsic
def see_quadratic(typing, tile, offset, p, numbers, x, seen):
    """seen (16,) = interpolation of a field in a tile (T^3, 4) to a particle: the mean, and the columns of B, four lanes each."""
    return types.void(tile, offset, p, numbers, x, seen), _emit(particle.see, 3)


@intrinsic
def see_cubic(typing, tile, offset, p, numbers, x, seen):
    """The same for cubic splines."""
    return types.void(tile, offset, p, numbers, x, seen), _emit(particle.see, 4)


@intrinsic
def deform(typing, p, numbers, seen, F):
    """F of a particle <- (I + h B) F."""
    return types.void(p, numbers, seen, F), _emit(particle.deform)


@intrinsic
def move(typing, p, q, t, off, numbers, seen, own, x, v, C, tau, thick, mass, volume, push, g, sums):
    """Position, velocity and C of a particle that has `seen` the nodes' new velocities and its `own` old ones; sums (8, 4)."""
    given = p, q, t, off, numbers, seen, own, x, v, C, tau, thick, mass, volume, push, g, sums
    return types.void(*given), _emit(particle.move)
