"""Vertices of a prim: rest and start positions."""

from __future__ import annotations

from typing import Any

import numpy as np

from supple.errors import MeshError
from supple.mesh.stages.schema import attribute
from supple.mesh.stages.stage import Stage, placed
from supple.mesh.stages.values import numbers, whole_numbers
from supple.types import Array


def rest_points(stage: Stage, prim: Any) -> Array:
    """(n, 3) rest positions [m]: `restShapePoints`, or else the points at the default time code, or of the first sample."""
    from pxr import Usd

    default = Usd.TimeCode.Default()
    points = _points(stage, prim, default)
    given = attribute(prim, "restShapePoints")
    local = np.empty((0, 3)) if given is None else numbers(given, default)
    if len(local):
        if len(local) != len(points):
            raise MeshError(
                f"{_where(stage, prim)}: restShapePoints has {len(local)} points, points has {len(points)}; a rest shape whose "
                "elements share other vertices is not supported: give one rest point per point"
            )
        points = local
    return placed(points, stage.frame(prim, stage.start))


def start_state(stage: Stage, prim: Any) -> tuple[Array, Array]:
    """(n, 3) positions [m] and velocities [m/s] at the start time of the stage."""
    from pxr import UsdGeom

    when = stage.start
    frame = stage.frame(prim, when)
    x = placed(_points(stage, prim, when), frame)
    found = UsdGeom.PointBased(prim).GetVelocitiesAttr()
    v = numbers(found, when) if found.HasAuthoredValue() else np.empty((0, 3))
    if not len(v):
        return x, np.zeros_like(x)
    if len(v) != len(x):
        raise MeshError(
            f"{_where(stage, prim)}: velocities has {len(v)} entries, points has {len(x)}; give one per point"
        )
    return x, v @ frame[:3, :3]


def moves_points(prim: Any) -> bool:
    """Whether the points of a prim are animated."""
    from pxr import UsdGeom

    return bool(UsdGeom.PointBased(prim).GetPointsAttr().ValueMightBeTimeVarying())


def demand_own_rest(stage: Stage, prim: Any, name: str, own: Any) -> None:
    """Reject a rest shape whose elements differ from the mesh; `own` are the corners of the mesh."""
    found = attribute(prim, name)
    given = None if found is None else whole_numbers(found)
    if found is None or given is None or not len(given):
        return
    if not np.array_equal(given, np.array(own).ravel()):
        raise MeshError(
            f"{_where(stage, prim)}: {found.GetName()} differs from the corners of the mesh; a rest shape whose elements share "
            "other vertices is not supported: leave it out"
        )


def _points(stage: Stage, prim: Any, when: Any) -> Array:
    from pxr import UsdGeom

    found = numbers(UsdGeom.PointBased(prim).GetPointsAttr(), when)
    if not len(found):
        raise MeshError(f"{_where(stage, prim)}: has no points; export it again")
    return found


def _where(stage: Stage, prim: Any) -> str:
    return f"{stage.path}: {prim.GetPath()}"
