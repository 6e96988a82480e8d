"""Prims whose transforms are animated, as motions of a scene: a constant velocity, or keyframes with a continuous velocity."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from supple.errors import SceneError
from supple.mesh.stages.points import moves_points
from supple.mesh.stages.solids import solid_surface
from supple.mesh.stages.stage import Stage, placed
from supple.mesh.stages.values import numbers
from supple.scene.stages.numbers import vector
from supple.types import Array

STILL = 1e-9
"""Tolerance for equal frames, relative to the largest entry."""
STEADY = 1e-6
"""Tolerance for a constant velocity, relative to the path."""
SHEARED = 1e-4
"""Tolerance for a rotation with three scale factors."""
PARALLEL = 1e-6
"""Tolerance for equal unit axes."""


def motion_of(stage: Stage, prim: Any, notes: list[str]) -> dict[str, Any] | None:
    """The table `motion` of vertices fixed to a prim; None if the prim is static."""
    codes = _codes(stage, prim)
    if len(codes) < 2:
        return None
    from pxr import Usd

    frames = np.stack([stage.frame(prim, Usd.TimeCode(code)) for code in codes.tolist()])
    if np.abs(frames - frames[0]).max() <= STILL * np.abs(frames).max():
        return None
    seconds = (codes - codes[0]) / stage.usd.GetTimeCodesPerSecond()
    offsets = frames[:, 3, :3] - frames[0, 3, :3]
    if not np.abs(np.linalg.det(frames[0, :3, :3])) > 0.0:
        raise SceneError(f"{prim.GetPath()}: its initial transform has a scale of 0; give an initial scale above 0")
    # row vectors: x(t) = x(0) M(0)^-1 M(t); keyframes use columns
    linear = np.swapaxes(np.linalg.inv(frames[0, :3, :3]) @ frames[:, :3, :3], 1, 2)
    factors = np.linalg.norm(linear, axis=1)
    turns, sheared = _rotations(linear / factors[:, None, :])
    if sheared > SHEARED:
        notes.append(f"{prim.GetPath()}: its transform shears by {sheared:.2g}; the nearest rotation is used")
    turned = float(np.abs(turns - np.eye(3)).max()) > STILL
    scaled = float(np.abs(factors - 1.0).max()) > STILL
    steady = offsets[-1] / seconds[-1]
    if (
        not turned
        and not scaled
        and np.abs(offsets - seconds[:, None] * steady).max() <= STEADY * np.abs(offsets).max()
    ):
        return {"translate": {"velocity": vector(steady)}, "stop": float(seconds[-1])}
    keys: list[dict[str, Any]] = [
        {"time": round(float(t), 9), "offset": vector(o)} for t, o in zip(seconds, offsets, strict=True)
    ]
    for key, (axis, angle) in zip(keys, _axes(turns), strict=True) if turned else ():
        key["rotation"] = {"axis": axis, "angle": angle}
    for key, three in zip(keys, factors, strict=True) if scaled else ():
        key["scale"] = vector(three)
    pivot = {"pivot": vector(frames[0, 3, :3])} if turned or scaled else {}
    return {"keyframes": keys, "interpolation": "spline", **pivot}


def points_motion(stage: Stage, prim: Any, notes: list[str]) -> dict[str, Any] | None:
    """The table `motion` of a mesh whose points are animated, which is followed frame by frame; None for other prims."""
    from pxr import UsdGeom

    if not prim.IsA(UsdGeom.PointBased) or not moves_points(prim):
        return None
    first = UsdGeom.PointBased(prim).GetPointsAttr().GetTimeSamples()[0]
    begin = (first - stage.start.GetValue()) / stage.usd.GetTimeCodesPerSecond() if stage.start.IsNumeric() else 0.0
    if begin < 0.0:
        notes.append(
            f"{prim.GetPath()}: its motion begins {-begin:g} s before the stage; its first frame is used as the initial state"
        )
    table: dict[str, Any] = {"file": str(stage.path), "object": str(prim.GetPath())}
    inner = {"match": "nearest"} if prim.GetTypeName() == "TetMesh" else {}
    return table | inner | ({"start": begin} if begin > 0.0 else {})


def speed_of(stage: Stage, prim: Any) -> float:
    """Largest speed of a collider between samples [m/s]."""
    from pxr import Usd, UsdGeom

    points = UsdGeom.PointBased(prim).GetPointsAttr() if prim.IsA(UsdGeom.PointBased) else None
    own = [] if points is None else points.GetTimeSamples()
    codes = np.unique(np.concatenate([_codes(stage, prim), own]))
    if len(codes) < 2:
        return 0.0
    found = solid_surface(prim, stage.start)
    still = np.zeros((1, 3)) if found is None else found[0]
    places = []
    for code in map(Usd.TimeCode, codes.tolist()):
        local = still if points is None else numbers(points, code)
        places.append(placed(local, stage.frame(prim, code)))
    if len({len(rows) for rows in places}) > 1:
        return 0.0  # refused later
    steps = np.linalg.norm(np.diff(np.stack(places), axis=0), axis=2).max(axis=1)
    return float((steps / np.diff(codes)).max() * stage.usd.GetTimeCodesPerSecond())


def _codes(stage: Stage, prim: Any) -> npt.NDArray[np.float64]:
    """Time codes from the start on: samples of transforms, and frames between those that are further apart."""
    from pxr import UsdGeom

    samples: set[float] = set()
    above = prim
    while above and not above.IsPseudoRoot():
        form = UsdGeom.Xformable(above)
        if form:
            samples |= set(form.GetTimeSamples())
            if form.GetResetXformStack():
                break
        above = above.GetParent()
    if len(samples) < 2:
        return np.empty(0)
    start = stage.start.GetValue() if stage.start.IsNumeric() else min(samples)
    kept = sorted({start, *(code for code in samples if code > start)})
    frame = stage.usd.GetTimeCodesPerSecond() / stage.usd.GetFramesPerSecond()
    made = [np.linspace(a, b, max(2, round((b - a) / frame) + 1))[:-1] for a, b in pairwise(kept)]
    return np.concatenate([*made, [kept[-1]]])


def _rotations(linear: Array) -> tuple[Array, float]:
    """(k, 3, 3) nearest rotations, and their distances from the given ones."""
    u, _, v = np.linalg.svd(linear)
    flip = np.sign(np.linalg.det(u @ v))
    u[:, :, 2] *= flip[:, None]
    turns = u @ v
    return turns, float(np.abs(turns - linear).max())


def _axes(turns: Array) -> list[tuple[list[float], float]]:
    """Axis and angle [degrees] of rotations; the angle about a fixed axis is unwrapped."""
    from scipy.spatial.transform import Rotation

    found: list[tuple[list[float], float]] = []
    axis, before = np.array([0.0, 0.0, 1.0]), 0.0
    for w in Rotation.from_matrix(turns).as_rotvec():
        size = float(np.linalg.norm(w))
        own = w / size if size > 1e-12 else axis
        same = np.linalg.norm(np.cross(own, axis)) < PARALLEL
        angle = float(np.degrees(size))
        if same and found:
            angle *= 1.0 if own @ axis > 0 else -1.0
            angle += 360.0 * round((before - angle) / 360.0)
            own = axis
        axis, before = np.array(vector(own)), angle
        found.append((axis.tolist(), float(f"{angle:.10g}")))
    return found
