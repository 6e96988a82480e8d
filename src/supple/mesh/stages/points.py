"""Vertices of a prim: at rest, and where they start."""

from __future__ import annotations

from typing import Any

import numpy as np

from supple.errors import MeshError
from supple.mesh.stages.schema import attribute, value, value_of
from supple.mesh.stages.stage import Stage, placed
from supple.types import Array


def rest_points(stage: Stage, prim: Any) -> Array:
    """(n, 3) rest positions [m]: `restShapePoints`, or else the points at the default time code, or of the first sample."""
    from pxr import Usd

    default = Usd.TimeCode.Default()
    points = _points(stage, prim, default)
    rest = value(prim, "restShapePoints")
    if rest is not None and len(rest):
        local = _rows(rest)
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
    given = value_of(found, when) if found.HasAuthoredValue() else None
    if given is None or not len(given):
        return x, np.zeros_like(x)
    v = _rows(given)
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
    """Refuse a rest shape whose elements are not those of the mesh; `own` are the corners of the mesh."""
    found = attribute(prim, name)
    given = None if found is None else value(prim, name)
    if found is None or given is None or not len(given):
        return
    if not np.array_equal(np.array(given).ravel(), np.array(own).ravel()):
        raise MeshError(
            f"{_where(stage, prim)}: {found.GetName()} differs from the corners of the mesh; a rest shape whose elements share "
            "other vertices is not supported: leave it out"
        )


def _points(stage: Stage, prim: Any, when: Any) -> Array:
    from pxr import UsdGeom

    found = value_of(UsdGeom.PointBased(prim).GetPointsAttr(), when)
    if found is None or not len(found):
        raise MeshError(f"{_where(stage, prim)}: has no points; export it again")
    return _rows(found)


def _rows(vectors: Any) -> Array:
    made: Array = np.array(vectors, dtype=np.float64).reshape(-1, 3)
    return made


def _where(stage: Stage, prim: Any) -> str:
    return f"{stage.path}: {prim.GetPath()}"
