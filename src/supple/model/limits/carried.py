"""Whether double precision carries the numbers of a model: masses, speeds, and what a step does to positions.

Values that are possible one by one may be nonsense together: a spin of 1e24 rad/s moves a body by so many of its own sizes in a
step that no digit of its shape is left, and a mass of 1e-224 kg has no square. Such worlds are refused here, once, before
terms and matrices are made of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from supple.errors import SceneError
from supple.model.placed import Placed
from supple.model.world import World
from supple.types import Array

LIGHTEST, HEAVIEST = 1e-60, 1e60
"""Masses of vertices whose products with squares of speeds, and whose inverses, a double holds [kg]."""
SPREAD = 1e16
"""Heaviest over lightest vertex; beyond, the light ones leave no digit in any sum."""
SIZES = 1e9
"""Sizes of a body that it may go in a step; beyond, its shape has fewer than 7 digits left."""


def demand_carried(world: World, placed: Sequence[Placed], h: float) -> None:
    """Refuse a world with numbers that a double does not carry; all problems are reported at once. h: step [s]."""
    bodies = [p for p in placed if not p.is_obstacle]
    problems = [problem for p in bodies for problem in (*_mass_problems(p), *_start_problems(p, h))]
    if not problems:
        problems = [*_spread_problems(bodies), *_gravity_problems(world, bodies, h)]
    if problems:
        raise SceneError(problems)


def _mass_problems(placed: Placed) -> Iterator[str]:
    """Masses that are no numbers, or too small or too large for one."""
    mass = placed.mass
    if not len(mass):
        return
    least, most = float(mass.min()), float(mass.max())
    key = "mass" if placed.body.mass is not None else "density"
    if not (np.isfinite(mass).all() and least > 0.0):
        found = most if least > 0.0 else least
        yield f"{placed.path}.{key}: a vertex would have a mass of {found:.3g} kg; it must be above 0 and finite"
    elif least < LIGHTEST or most > HEAVIEST:
        found = least if least < LIGHTEST else most
        yield (
            f"{placed.path}.{key}: a vertex would have a mass of {found:.3g} kg; double precision carries {LIGHTEST:g} to "
            f"{HEAVIEST:g} kg"
        )


def _start_problems(placed: Placed, h: float) -> Iterator[str]:
    """Positions and velocities at the start that are no numbers, or so large that a step leaves nothing of the shape."""
    x, v, path = placed.x, placed.v, f"{placed.path}.initial"
    for values, what in ((x, "positions"), (v, "velocities")):
        if not np.isfinite(values).all():
            bad = int(np.flatnonzero(~np.isfinite(values).all(axis=1))[0])
            yield f"{path}: {what} must be finite, found {values[bad].tolist()} at vertex {bad}"
            return
    size, reach = _size(placed), float(np.abs(x).max(initial=0.0))
    if reach > SIZES * size:
        yield (
            f"{path}: the body starts {reach:.2g} m from the origin, but is {size:.2g} m large: a double has too few digits for "
            "its shape there; begin nearer"
        )
    speed = float(np.abs(v).max(initial=0.0))
    if speed * h > SIZES * max(size, 1e-3 * reach):
        yield (
            f"{path}: at {speed:.2g} m/s a step of {h:.2g} s moves the body by {speed * h / size:.1g} of its own sizes, which "
            "leaves no digit of its shape; give a smaller velocity or spin, or a shorter step"
        )


def _spread_problems(bodies: Sequence[Placed]) -> Iterator[str]:
    """Bodies so light beside others that no sum shows them."""
    ranges = [(p, float(p.mass.min()), float(p.mass.max())) for p in bodies if len(p.mass)]
    if not ranges:
        return
    light, heavy = min(ranges, key=lambda r: r[1]), max(ranges, key=lambda r: r[2])
    if heavy[2] > SPREAD * light[1]:
        yield (
            f"{light[0].path}: a vertex of {light[1]:.2g} kg moves beside one of {heavy[2]:.2g} kg in {heavy[0].path}; masses "
            f"must be within a factor of {SPREAD:g}, or the light one leaves no digit in any sum"
        )


def _gravity_problems(world: World, bodies: Sequence[Placed], h: float) -> Iterator[str]:
    """Gravity by which a body falls so far in a step that nothing is left of its shape."""
    pull = max(abs(component) for component in world.acceleration)
    sizes: Array = np.array([_size(p) for p in bodies])
    if not np.isfinite(pull) or pull * h * h > SIZES * float(sizes.max(initial=0.0)):
        yield (
            f"world.gravity: {pull:.2g} m/s^2 moves a body of {float(sizes.max()):.2g} m by {pull * h * h:.2g} m in a step of "
            f"{h:.2g} s, which leaves no digit of its shape; give a smaller gravity, or a shorter step"
        )


def _size(placed: Placed) -> float:
    """Longest side of its box at rest [m]; of a body that is a single point 1 m."""
    return float(placed.solid_mesh.extent.max()) or 1.0
