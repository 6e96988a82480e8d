"""Colliders that are simple solids, as shapes of obstacles where a shape is exact."""

from __future__ import annotations

from typing import Any

import numpy as np

from supple.mesh.stages.solids import AXES, axis_of
from supple.mesh.stages.stage import Stage
from supple.mesh.stages.values import single
from supple.scene.stages.numbers import vector
from supple.types import Array

SQUARE = 1e-6
"""Tolerance for orthogonal axes and equal factors."""


def shape_of(stage: Stage, prim: Any) -> dict[str, Any] | None:
    """Keys of an obstacle with a shape; None where triangles are required."""
    from pxr import UsdGeom

    kind, when = str(prim.GetTypeName()), stage.start
    frame = stage.frame(prim, when)
    rows, origin = frame[:3, :3], frame[3, :3]
    if kind == "Plane":
        axis = _column(UsdGeom.Plane(prim))
        # the normal of a plane in any frame: perpendicular to the two directions in it
        a, b = (rows[k] for k in ((axis + 1) % 3, (axis + 2) % 3))
        normal = np.cross(a, b)
        return {"shape": "half-space", "point": vector(origin), "normal": vector(normal / np.linalg.norm(normal))}
    factors = np.linalg.norm(rows, axis=1)
    unit = rows / factors[:, None]
    if np.abs(unit @ unit.T - np.eye(3)).max() > SQUARE:
        return None
    if kind == "Cube":
        size = single(UsdGeom.Cube(prim).GetSizeAttr(), when) * factors
        turn = _turn(unit)
        made = {"shape": "box", "centre": vector(origin), "size": vector(size)}
        return made | ({"turn": vector(turn)} if np.abs(turn).max() > SQUARE else {})
    if np.ptp(factors) > SQUARE * factors.max():
        return None
    if kind == "Sphere":
        radius = single(UsdGeom.Sphere(prim).GetRadiusAttr(), when) * factors[0]
        return {"shape": "sphere", "centre": vector(origin), "radius": vector([radius])[0]}
    if kind == "Capsule":
        capsule = UsdGeom.Capsule(prim)
        half = 0.5 * single(capsule.GetHeightAttr(), when) * rows[_column(capsule)]
        radius = single(capsule.GetRadiusAttr(), when) * factors[0]
        if not np.linalg.norm(half):
            return {"shape": "sphere", "centre": vector(origin), "radius": vector([radius])[0]}
        ends = {"start": vector(origin - half), "end": vector(origin + half)}
        return {"shape": "capsule", **ends, "radius": vector([radius])[0]}
    return None


def _column(solid: Any) -> int:
    return AXES[axis_of(solid)][2]


def _turn(unit: Array) -> Array:
    """Rotation vector [rad] of a box whose axes are these rows; a mirrored box is the same box."""
    from scipy.spatial.transform import Rotation

    if np.linalg.det(unit) < 0.0:
        unit = unit * np.array([[1.0], [1.0], [-1.0]])
    return np.asarray(Rotation.from_matrix(unit.T).as_rotvec())
