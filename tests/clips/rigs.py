"""A leg of two joints in USD and in glTF, with a skin."""

from pathlib import Path
from typing import Any

import numpy as np

from supple.export.formats.glb_parts import GlbParts

FPS, FRAMES = 24.0, 10
JOINTS = ("hip", "hip/knee")


def skin(scale: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    """Rest positions (n, 3) of a leg along z, and the weights (n, 2) of its joints."""
    side = np.linspace(-0.05, 0.05, 3)
    z = np.linspace(0.0, 1.0, 9)
    points = np.array([[a, b, c] for a in side for b in side for c in z])
    knee = np.clip((points[:, 2] - 0.3) / 0.4, 0.0, 1.0)
    return (scale * points).astype(np.float32), np.stack([1 - knee, knee], axis=1).astype(np.float32)


def usd_rig(path: Path, metres: float = 1.0, bend: float = 8.0, first: float = 0.0, up: str = "Z") -> Path:
    """The knee bends by `bend` degrees in each frame, from `first` on; the hip moves along x, and the root turns about z."""
    from pxr import Gf, Usd, UsdGeom, UsdSkel, Vt

    stage = Usd.Stage.CreateNew(str(path))
    UsdGeom.SetStageUpAxis(stage, up)
    UsdGeom.SetStageMetersPerUnit(stage, metres)
    stage.SetTimeCodesPerSecond(FPS)
    stage.SetFramesPerSecond(FPS)
    root = UsdSkel.Root.Define(stage, "/Root")
    spin = root.AddRotateZOp()
    skeleton = UsdSkel.Skeleton.Define(stage, "/Root/Skel")
    skeleton.CreateJointsAttr(list(JOINTS))
    unit = 1.0 / metres
    bind = [Gf.Matrix4d(1), Gf.Matrix4d().SetTranslate((0, 0, 0.5 * unit))]
    skeleton.CreateBindTransformsAttr(bind)
    skeleton.CreateRestTransformsAttr(bind)
    motion = UsdSkel.Animation.Define(stage, "/Root/Motion")
    motion.CreateJointsAttr(list(JOINTS))
    motion.CreateScalesAttr([Gf.Vec3h(1), Gf.Vec3h(1)])
    places, turns = motion.CreateTranslationsAttr(), motion.CreateRotationsAttr()
    for k in range(FRAMES):
        spin.Set(2.0 * k, k + 1)
        places.Set([Gf.Vec3f(0.02 * unit * k, 0, 0), Gf.Vec3f(0, 0, 0.5 * unit)], k + 1)
        knee = Gf.Quatf(Gf.Rotation((1, 0, 0), first + bend * k).GetQuat())
        turns.Set([Gf.Quatf(1), knee], k + 1)
    UsdSkel.BindingAPI.Apply(skeleton.GetPrim()).CreateAnimationSourceRel().SetTargets(["/Root/Motion"])
    points, weights = skin(unit)
    mesh = UsdGeom.Mesh.Define(stage, "/Root/Leg")
    mesh.CreatePointsAttr(Vt.Vec3fArray.FromNumpy(points))
    mesh.CreateFaceVertexCountsAttr([3])
    mesh.CreateFaceVertexIndicesAttr([0, 9, 1])
    bound = UsdSkel.BindingAPI.Apply(mesh.GetPrim())
    bound.CreateSkeletonRel().SetTargets(["/Root/Skel"])
    bound.CreateJointIndicesPrimvar(False, 2).Set([0, 1] * len(points))
    bound.CreateJointWeightsPrimvar(False, 2).Set(Vt.FloatArray.FromNumpy(weights.ravel().copy()))
    bound.CreateGeomBindTransformAttr(Gf.Matrix4d(1))
    UsdGeom.Camera.Define(stage, "/Root/Camera")
    stage.Save()
    return path


def glb_rig(path: Path, interpolation: str = "LINEAR", bend: float = 0.1) -> Path:
    """The knee turns about x by `bend` radians in each frame; y is up, the leg lies along z all the same."""
    parts = GlbParts()
    points, weights = skin()
    numbers = np.tile(np.array([0, 1, 0, 0], dtype=np.uint32), (len(points), 1))
    padded = np.hstack([weights, np.zeros_like(weights)]).astype(np.float32)
    inverse = np.tile(np.eye(4, dtype=np.float32), (2, 1, 1))
    inverse[1, 3, 2] = -0.5  # as columns, so that the translation is in the last row
    half = 0.5 * bend * np.arange(FRAMES)
    turns = np.stack([np.sin(half), 0 * half, 0 * half, np.cos(half)], axis=1).astype(np.float32)
    if interpolation == "CUBICSPLINE":
        rate = 0.5 * bend * FPS * np.stack([np.cos(half), 0 * half, 0 * half, -np.sin(half)], axis=1)
        turns = np.stack([rate, turns, rate], axis=1).astype(np.float32).reshape(-1, 4)
    attributes = {
        "POSITION": parts.add(points, "VEC3"),
        "JOINTS_0": parts.add(numbers, "VEC4"),
        "WEIGHTS_0": parts.add(padded, "VEC4"),
    }
    times = parts.add((np.arange(FRAMES) / FPS).astype(np.float32), "SCALAR")
    document: dict[str, Any] = {
        "asset": {"version": "2.0"},
        "nodes": [
            {"name": "hip", "children": [1]},
            {"name": "knee", "translation": [0, 0, 0.5]},
            {"name": "leg", "mesh": 0, "skin": 0},
        ],
        "meshes": [
            {"primitives": [{"attributes": attributes, "indices": parts.add(np.array([0, 9, 1], np.uint32), "SCALAR")}]}
        ],
        "skins": [{"name": "rig", "joints": [0, 1], "inverseBindMatrices": parts.add(inverse.reshape(2, 16), "MAT4")}],
        "animations": [
            {
                "samplers": [{"input": times, "output": parts.add(turns, "VEC4"), "interpolation": interpolation}],
                "channels": [{"sampler": 0, "target": {"node": 1, "path": "rotation"}}],
            }
        ],
    }
    path.write_bytes(parts.file(document))
    return path
