"""Shared functions of the readers of motion in USD stages: units and axes, times of samples, transforms, triangles.

pxr is imported inside functions, since it is an optional library that is slow to import.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from supple.clips.clip import Faces
from supple.clips.sampling import filled
from supple.clips.space import Space
from supple.errors import SuppleError
from supple.mesh.stages import stage as stages
from supple.mesh.stages.values import whole_numbers
from supple.types import Array


def open_stage(path: Path) -> Any:
    """The stage of a file; read errors of pxr become messages."""
    return stages.open_stage(path).usd


def space_of(stage: Any) -> Space:
    """Metres per unit and the axis that points up, from the stage, or the defaults of USD."""
    from pxr import UsdGeom

    return Space(float(UsdGeom.GetStageMetersPerUnit(stage)), str(UsdGeom.GetStageUpAxis(stage)).lower())


def meshes_of(stage: Any) -> list[Any]:
    """All prims with points, instances included, in the order of the stage."""
    from pxr import Usd, UsdGeom

    return [
        prim
        for prim in Usd.PrimRange(stage.GetPseudoRoot(), Usd.TraverseInstanceProxies())
        if prim.IsA(UsdGeom.PointBased)
    ]


def cameras_of(stage: Any) -> list[str]:
    """Paths of all cameras."""
    from pxr import UsdGeom

    return [str(prim.GetPath()) for prim in stage.Traverse() if prim.IsA(UsdGeom.Camera)]


def codes_per_second(stage: Any) -> float:
    """Time codes per second."""
    return float(stage.GetTimeCodesPerSecond())


def frame_codes(stage: Any) -> float:
    """Time codes from one frame to the next."""
    return codes_per_second(stage) / (float(stage.GetFramesPerSecond()) or 24.0)


def transform_keys(prim: Any) -> list[float]:
    """Time codes of the samples of all transforms of a prim and of those above it."""
    from pxr import UsdGeom

    keys: list[float] = []
    while prim and not prim.IsPseudoRoot():
        form = UsdGeom.Xformable(prim)
        if form:
            keys += form.GetTimeSamples()
            if form.GetResetXformStack():
                break
        prim = prim.GetParent()
    return keys


def codes(stage: Any, straight: Iterable[float], turning: Iterable[float]) -> Array:
    """Time codes to read: samples of points unchanged, samples of transforms filled with frames where they are sparse."""
    points, turns = np.array(sorted(straight), dtype=np.float64), np.array(sorted(turning), dtype=np.float64)
    spacing = frame_codes(stage)
    file = stage.GetRootLayer().GetDisplayName()
    if not 0.0 < spacing < np.inf:
        raise SuppleError(
            f"{file}: its frames are {spacing:g} time codes apart; timeCodesPerSecond and framesPerSecond are above 0"
        )
    if not len(turns):
        return np.unique(points)
    return filled(np.concatenate([points, turns]), spacing, file)


def to_world(prim: Any, code: Any) -> Array:
    """(4, 4) transform of row vectors from a prim to the world, composed with all above it."""
    from pxr import UsdGeom

    form = UsdGeom.Imageable(prim).ComputeLocalToWorldTransform(code)
    return np.array(form, dtype=np.float64)


def vectors(values: Any) -> Array:
    """(n, 3) array of a pxr value; empty if it is empty."""
    return np.empty((0, 3)) if values is None else np.array(values, dtype=np.float64).reshape(-1, 3)


def faces_of(prim: Any) -> Faces | None:
    """The faces of a mesh, counterclockwise seen from outside; None for points and curves."""
    from pxr import UsdGeom

    mesh = UsdGeom.Mesh(prim)
    if not mesh:
        return None
    arrays = (whole_numbers(a) for a in (mesh.GetFaceVertexCountsAttr(), mesh.GetFaceVertexIndicesAttr()))
    counts, corners = (a.astype(np.int32) for a in arrays)
    if counts.sum(dtype=np.int64) != len(corners) or (counts < 3).any():
        raise SuppleError(
            f"{prim.GetStage().GetRootLayer().GetDisplayName()}: {prim.GetPath()}: {len(corners)} corners for faces that have "
            f"{counts.sum(dtype=np.int64)}; export it again"
        )
    if mesh.GetOrientationAttr().Get() == UsdGeom.Tokens.leftHanded:
        corners = corners[stages.reversed_faces(counts)]
    return Faces(counts, corners)
