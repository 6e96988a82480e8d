"""Range checks for double precision: masses, speeds, and displacements per step.

Values that are valid individually may be absurd together. A spin of 1e24 rad/s moves a body so far per step, relative
to its size, that no digit of its shape remains. The square of a mass of 1e-224 kg underflows. Such worlds are
rejected here, before terms and matrices are built.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from supple.errors import SceneError
from supple.model.placed import Placed
from supple.model.world import World
from supple.types import Array

LIGHTEST, HEAVIEST = 1e-60, 1e60
"""Vertex masses whose inverses and products with squared speeds are representable in double precision [kg]."""
SPREAD = 1e16
"""Largest mass ratio of vertices; beyond it, light vertices vanish in every sum."""
SIZES = 1e9
"""Largest displacement per step, in body sizes; beyond it, the shape has fewer than 7 digits left."""


def demand_carried(world: World, placed: Sequence[Placed], h: float) -> None:
    """Reject a world with values beyond double precision; all problems are reported together. h: step [s]."""
    bodies = [p for p in placed if not p.is_obstacle]
    problems = [
        problem for p in bodies for problem in (*_thickness_problems(p), *_mass_problems(p), *_start_problems(p, h))
    ]
    if not problems:
        problems = [*_spread_problems(bodies), *_gravity_problems(world, bodies, h)]
    if problems:
        raise SceneError(problems)


def _thickness_problems(placed: Placed) -> Iterator[str]:
    """Problems: sheets and ropes that are thicker than wide or long. Their bending would be stiffer than any step resolves."""
    if placed.thickness is None or placed.mesh.is_solid or not placed.mesh.n:
        return
    size = float(np.ptp(placed.mesh.vertices, axis=0).max())
    if placed.thickness > size:
        yield (
            f"{placed.path}.thickness: found {placed.thickness:g} m, but the body is only {size:.3g} m across; give a smaller "
            "thickness [m], or make a solid"
        )


def _mass_problems(placed: Placed) -> Iterator[str]:
    """Problems: masses that are not finite, too small or too large."""
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
            f"{placed.path}.{key}: a vertex would have a mass of {found:.3g} kg; the supported range is {LIGHTEST:g} to "
            f"{HEAVIEST:g} kg"
        )


def _start_problems(placed: Placed, h: float) -> Iterator[str]:
    """Problems: initial positions and velocities that are not finite, or so large that a step destroys the shape."""
    x, v, path = placed.x, placed.v, f"{placed.path}.initial"
    for values, what in ((x, "positions"), (v, "velocities")):
        if not np.isfinite(values).all():
            bad = int(np.flatnonzero(~np.isfinite(values).all(axis=1))[0])
            yield f"{path}: {what} must be finite, found {values[bad].tolist()} at vertex {bad}"
            return
    size, reach = _size(placed), float(np.abs(x).max(initial=0.0))
    if reach > SIZES * size:
        yield (
            f"{path}: the body starts {reach:.2g} m from the origin, but is {size:.2g} m large: double precision cannot resolve "
            "its shape there; start closer to the origin"
        )
    speed = float(np.abs(v).max(initial=0.0))
    if speed * h > SIZES * max(size, 1e-3 * reach):
        yield (
            f"{path}: at {speed:.2g} m/s a step of {h:.2g} s moves the body by {speed * h / size:.1g} times its size, beyond the "
            "precision of its shape; reduce velocity, spin or step"
        )


def _spread_problems(bodies: Sequence[Placed]) -> Iterator[str]:
    """Problems: bodies so light compared with others that they vanish in every sum."""
    ranges = [(p, float(p.mass.min()), float(p.mass.max())) for p in bodies if len(p.mass)]
    if not ranges:
        return
    light, heavy = min(ranges, key=lambda r: r[1]), max(ranges, key=lambda r: r[2])
    if heavy[2] > SPREAD * light[1]:
        yield (
            f"{light[0].path}: a vertex of {light[1]:.2g} kg moves with one of {heavy[2]:.2g} kg in {heavy[0].path}; masses "
            f"must be within a factor of {SPREAD:g}, or the light one vanishes in every sum"
        )


def _gravity_problems(world: World, bodies: Sequence[Placed], h: float) -> Iterator[str]:
    """Problems: gravity by which a body falls so far in a step that no digit of its shape remains."""
    pull = max(abs(component) for component in world.acceleration)
    sizes: Array = np.array([_size(p) for p in bodies])
    if not np.isfinite(pull) or pull * h * h > SIZES * float(sizes.max(initial=0.0)):
        yield (
            f"world.gravity: {pull:.2g} m/s^2 moves a body of {float(sizes.max()):.2g} m by {pull * h * h:.2g} m in a step of "
            f"{h:.2g} s, which leaves no digit of its shape; give a smaller gravity, or a shorter step"
        )


def _size(placed: Placed) -> float:
    """Longest side of its bounding box at rest [m]; 1 m for a single point."""
    return float(placed.solid_mesh.extent.max()) or 1.0
