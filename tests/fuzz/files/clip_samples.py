"""Tiny files with motion in every format that is read."""

from __future__ import annotations

import base64
import json
import struct
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

FRAMES, VERTICES = 3, 4
USDA = """#usda 1.0
(
    endTimeCode = 3
    metersPerUnit = 1
    startTimeCode = 1
    timeCodesPerSecond = 24
    upAxis = "Y"
)
def SkelRoot "Root"
{
    def Skeleton "Skel" (prepend apiSchemas = ["SkelBindingAPI"])
    {
        uniform token[] joints = ["hip", "hip/knee"]
        uniform matrix4d[] bindTransforms = [
            ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1)),
            ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,1,1))
        ]
        uniform matrix4d[] restTransforms = [
            ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1)),
            ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,1,1))
        ]
        rel skel:animationSource = </Root/Motion>
    }
    def SkelAnimation "Motion"
    {
        uniform token[] joints = ["hip", "hip/knee"]
        quatf[] rotations.timeSamples = { 1: [(1,0,0,0), (1,0,0,0)], 3: [(1,0,0,0), (0.7,0.7,0,0)] }
        half3[] scales = [(1,1,1), (1,1,1)]
        float3[] translations.timeSamples = { 1: [(0,0,0), (0,0,1)], 3: [(1,0,0), (0,0,1)] }
    }
    def Mesh "Leg" (prepend apiSchemas = ["SkelBindingAPI"])
    {
        point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 1, 1), (0, 1, 1)]
        int[] faceVertexCounts = [4]
        int[] faceVertexIndices = [0, 1, 2, 3]
        matrix4d primvars:skel:geomBindTransform = ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1))
        int[] primvars:skel:jointIndices = [0, 1, 0, 1, 0, 1, 0, 1] (elementSize = 2
            interpolation = "vertex")
        float[] primvars:skel:jointWeights = [1, 0, 0.5, 0.5, 0, 1, 1, 1] (elementSize = 2
            interpolation = "vertex")
        rel skel:skeleton = </Root/Skel>
    }
}
def Mesh "Walker"
{
    double3 xformOp:translate.timeSamples = { 1: (0, 0, 0), 3: (0, 1, 0) }
    uniform token[] xformOpOrder = ["xformOp:translate"]
    point3f[] points.timeSamples = { 1: [(0, 0, 0), (1, 0, 0), (1, 1, 0)], 2: [(0, 0, 0), (1, 0, 0), (1, 2, 0)] }
    int[] faceVertexCounts = [3]
    int[] faceVertexIndices = [0, 1, 2]
}
"""


def positions() -> np.ndarray:
    x = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    return x + 0.1 * np.arange(FRAMES)[:, None, None]


def samples() -> dict[str, bytes]:
    """Name and content of each file; `walk_*.obj` are the frames of one clip."""
    x = positions()
    found = {
        "a.pc2": struct.pack("<12siiffi", b"POINTCACHE2", 1, VERTICES, 1.0, 1.0, FRAMES) + x.astype("<f4").tobytes(),
        "a.mdd": struct.pack(">ii", FRAMES, VERTICES) + np.arange(FRAMES).astype(">f4").tobytes() + x.astype(">f4").tobytes(),
        "a.usda": USDA.encode(),
        "walk_1.obj": _frame(x[0]),
        "a.glb": _container(),
        "a.gltf": json.dumps(document(embedded=True), indent=1).encode(),
    }  # fmt: skip
    with TemporaryDirectory() as name:
        folder = Path(name)
        np.savez(
            folder / "a.npz",
            positions=x,
            times=np.arange(FRAMES) / 24.0,
            triangles=[[0, 1, 2]],
            up="y",
            metres_per_unit=1.0,
        )
        np.savez_compressed(folder / "b.npz", positions=x, times=np.arange(FRAMES) / 24.0)
        _rig(folder / "c.npz")
        _usd(folder / "a.usdc")
        _alembic(folder / "a.abc", x)
        found |= {file.name: file.read_bytes() for file in folder.iterdir()}
    return found


def _frame(x: np.ndarray) -> bytes:
    return "\n".join([f"v {a} {b} {c}" for a, b, c in x] + ["f 1 2 3", "f 1 3 4"]).encode()


def frames_beside(folder: Path) -> None:
    """The second and third frame of the sequence."""
    for k, x in enumerate(positions()[1:], start=2):
        (folder / f"walk_{k}.obj").write_bytes(_frame(x))


def _rig(path: Path) -> None:
    one = np.broadcast_to(np.eye(4), (FRAMES, 2, 4, 4))
    skin = {
        "leg.rest": positions()[0],
        "leg.skin": np.zeros((VERTICES, 2), int),
        "leg.weights": np.full((VERTICES, 2), 0.5),
    }
    np.savez(
        path,
        **{"s.joints": np.array(["hip", "knee"]), "s.parents": np.array([-1, 0]), "s.bind": one[0], "s.poses": one},
        **{"s.times": np.arange(3.0), **skin, "leg.positions": positions(), "leg.times": np.arange(3.0)},
        **{"leg.counts": np.array([4]), "leg.corners": np.arange(4)},
    )


def _usd(path: Path) -> None:
    from pxr import Sdf

    layer = Sdf.Layer.CreateAnonymous(".usda")
    layer.ImportFromString(USDA)
    layer.Export(str(path))


def _alembic(path: Path, x: np.ndarray) -> None:
    from clips.motion_files import abc

    abc(path, x, move=lambda k: np.array([0.1 * k, 0, 0]))


def _buffer() -> tuple[bytes, list[dict[str, Any]], list[dict[str, Any]]]:
    """Bytes, views and accessors of a document."""
    x = positions().astype("<f4")
    arrays = [
        (x[0], 5126, "VEC3"), (np.array([0, 1, 2], "<u2"), 5123, "SCALAR"), (x[1] - x[0], 5126, "VEC3"),
        (np.array([0, 1, 2], "<f4"), 5126, "SCALAR"), (np.array([0, 1, 0], "<f4"), 5126, "SCALAR"),
        (np.tile(np.array([0, 0, 0, 1], "<f4"), (3, 1)), 5126, "VEC4"), (np.zeros((VERTICES, 4), "<u1"), 5121, "VEC4"),
        (np.tile(np.array([1, 0, 0, 0], "<f4"), (VERTICES, 1)), 5126, "VEC4"),
        (np.broadcast_to(np.eye(4, dtype="<f4"), (2, 4, 4)), 5126, "MAT4"),
    ]  # fmt: skip
    data, views, accessors = b"", [], []
    for k, (array, kind, shape) in enumerate(arrays):
        raw = np.ascontiguousarray(array).tobytes()
        views.append({"buffer": 0, "byteOffset": len(data), "byteLength": len(raw)})
        accessors.append({"bufferView": k, "componentType": kind, "count": len(array), "type": shape})
        data += raw + b"\0" * (-len(raw) % 4)
    return data, views, accessors


def document(embedded: bool) -> dict[str, Any]:
    """A glTF with a morph target, a skin and three channels."""
    data, views, accessors = _buffer()
    buffer: dict[str, Any] = {"byteLength": len(data)}
    if embedded:
        buffer["uri"] = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
    skinned = {"attributes": {"POSITION": 0, "JOINTS_0": 6, "WEIGHTS_0": 7}, "indices": 1}
    return {
        "asset": {"version": "2.0"},
        "nodes": [
            {"name": "a", "mesh": 0, "children": [1]}, {"name": "b", "mesh": 1, "skin": 0},
            {"name": "hip", "children": [3]}, {"name": "knee", "translation": [0, 0, 1]}, {"camera": 0},
        ],
        "cameras": [{"name": "eye"}],
        "skins": [{"joints": [2, 3], "inverseBindMatrices": 8, "name": "s"}],
        "meshes": [
            {"primitives": [{"attributes": {"POSITION": 0}, "indices": 1, "targets": [{"POSITION": 2}]}]},
            {"primitives": [skinned]},
        ],
        "animations": [
            {
                "samplers": [{"input": 3, "output": 4}, {"input": 3, "output": 5}],
                "channels": [
                    {"sampler": 0, "target": {"node": 0, "path": "weights"}},
                    {"sampler": 1, "target": {"node": 3, "path": "rotation"}},
                ],
            }
        ],
        "accessors": accessors, "bufferViews": views, "buffers": [buffer],
    }  # fmt: skip


def _container() -> bytes:
    text = json.dumps(document(embedded=False)).encode()
    text += b" " * (-len(text) % 4)
    data = _buffer()[0]
    body = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(data), b"BIN\0") + data
    return struct.pack("<4sII", b"glTF", 2, 12 + len(body)) + body
