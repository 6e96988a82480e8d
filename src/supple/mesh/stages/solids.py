"""Spheres, cubes, cylinders, capsules, cones and planes of a stage as triangles, in the frame of their prim."""

from __future__ import annotations

from typing import Any

import numpy as np

from supple.mesh.stages.values import single, word
from supple.types import Array, Ints

AROUND = 32
"""Edges of a circle."""
AXES = {"X": (1, 2, 0), "Y": (2, 0, 1), "Z": (0, 1, 2)}
"""Indices of the coordinates across an axis and along it."""

Surface = tuple[Array, Ints]


def solid_surface(prim: Any, when: Any) -> Surface | None:
    """Points (n, 3) and triangles (f, 3), counterclockwise seen from outside; None for any other prim."""
    from pxr import UsdGeom

    kind = str(prim.GetTypeName())
    if kind == "Cube":
        return _cube(0.5 * single(UsdGeom.Cube(prim).GetSizeAttr(), when))
    if kind == "Plane":
        plane = UsdGeom.Plane(prim)
        width, length = (single(a, when) for a in (plane.GetWidthAttr(), plane.GetLengthAttr()))
        return _plane(0.5 * width, 0.5 * length, axis_of(plane))
    if kind == "Sphere":
        r = single(UsdGeom.Sphere(prim).GetRadiusAttr(), when)
        return _lathe(r * _arc(-90.0, 90.0), "Z")
    if kind not in ("Cylinder", "Capsule", "Cone"):
        return None
    solid = getattr(UsdGeom, kind)(prim)
    r, h = single(solid.GetRadiusAttr(), when), 0.5 * single(solid.GetHeightAttr(), when)
    profiles = {
        "Cylinder": lambda: np.array([[0.0, -h], [r, -h], [r, h], [0.0, h]]),
        "Cone": lambda: np.array([[0.0, -h], [r, -h], [0.0, h]]),
        "Capsule": lambda: np.concatenate([r * _arc(-90.0, 0.0) - [0.0, h], r * _arc(0.0, 90.0) + [0.0, h]]),
    }
    return _lathe(profiles[kind](), axis_of(solid))


def axis_of(solid: Any) -> str:
    """X, Y or Z."""
    return word(solid.GetAxisAttr(), AXES)


def _arc(first: float, last: float) -> Array:
    """Points (r, z) of a circle of radius 1 between two latitudes [degrees]."""
    count = max(2, round(AROUND / 2 * (last - first) / 180.0) + 1)
    angle = np.radians(np.linspace(first, last, count))
    made: Array = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    made[np.abs(np.cos(angle)) < 1e-12, 0] = 0.0
    return made


def _lathe(profile: Array, axis: str) -> Surface:
    """A profile (r, z) from the lower pole to the upper one, both on the axis, revolved about the axis."""
    rings = profile[1:-1]
    angle = 2.0 * np.pi * np.arange(AROUND) / AROUND
    r, z = rings[:, :1], rings[:, 1:]
    circles = np.stack([r * np.cos(angle), r * np.sin(angle), np.broadcast_to(z, (len(rings), AROUND))], axis=2)
    poles = np.array([[0.0, 0.0, profile[0, 1]], [0.0, 0.0, profile[-1, 1]]])
    x = np.concatenate([circles.reshape(-1, 3), poles])
    here = np.arange(AROUND)
    there = np.roll(here, -1)
    low, high = AROUND * len(rings), AROUND * len(rings) + 1
    triangles = [np.stack([there, here, np.full(AROUND, low)], axis=1)]
    for k in range(len(rings) - 1):
        a, b, c, d = AROUND * k + here, AROUND * k + there, AROUND * (k + 1) + there, AROUND * (k + 1) + here
        triangles += [np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)]
    top = AROUND * (len(rings) - 1)
    triangles.append(np.stack([top + here, top + there, np.full(AROUND, high)], axis=1))
    return _along(x, axis), np.concatenate(triangles).astype(np.int32)


def _cube(half: float) -> Surface:
    corners = half * np.array([[x, y, z] for z in (-1.0, 1.0) for y in (-1.0, 1.0) for x in (-1.0, 1.0)])
    quads = np.array([[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]])
    return corners, quads[:, [[0, 1, 2], [0, 2, 3]]].reshape(-1, 3).astype(np.int32)


def _plane(a: float, b: float, axis: str) -> Surface:
    x = np.array([[-a, -b, 0.0], [a, -b, 0.0], [a, b, 0.0], [-a, b, 0.0]])
    return _along(x, axis), np.array([[0, 1, 2], [0, 2, 3]], dtype=np.int32)


def _along(x: Array, axis: str) -> Array:
    """Points given along z, mapped to an axis."""
    made = np.empty_like(x)
    made[:, AXES[axis]] = x
    return made
