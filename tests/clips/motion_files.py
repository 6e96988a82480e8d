"""Files with a known motion in every format that is read, written by the libraries of the formats themselves."""

import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from supple.export.formats.glb_parts import GlbParts
from supple.mesh import SHAPES

FPS, FRAMES = 24.0, 12
QUADS = np.array([[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]])


def bar() -> Any:
    return SHAPES.find("bar")(cells=(4, 1, 1), size=(1.0, 0.25, 0.25)).mesh()


def positions(X: np.ndarray, frames: int = FRAMES) -> np.ndarray:
    """(frames, n, 3) that begin at X."""
    t = np.arange(frames)[:, None, None] / FPS
    way = np.sin(3.0 * t + X[None, :, :1]) - np.sin(X[None, :, :1])
    return X + 0.2 * way * np.array([0.3, 1.0, 0.5])


def pc2(path: Path, x: np.ndarray, frames: int | None = None) -> Path:
    head = struct.pack("<12siiffi", b"POINTCACHE2", 1, x.shape[1], 1.0, 1.0, len(x) if frames is None else frames)
    path.write_bytes(head + x.astype("<f4").tobytes())
    return path


def mdd(path: Path, x: np.ndarray, times: np.ndarray | None = None) -> Path:
    clock = np.arange(len(x)) / FPS if times is None else times
    path.write_bytes(struct.pack(">ii", *x.shape[:2]) + clock.astype(">f4").tobytes() + x.astype(">f4").tobytes())
    return path


def npz(path: Path, x: np.ndarray, times: np.ndarray | None = None, **more: Any) -> Path:
    np.savez(path, positions=x, times=np.arange(len(x)) / FPS if times is None else times, **more)
    return path


def obj(path: Path, x: np.ndarray, numbers: range | list[int] | None = None) -> Path:
    """A folder of files; returns the pattern."""
    path.mkdir()
    for number, frame in zip(numbers or range(1, len(x) + 1), x, strict=True):
        lines = [f"v {a:.9g} {b:.9g} {c:.9g}" for a, b, c in frame] + ["f 1 2 3"]
        (path / f"walk_{number:04d}.obj").write_text("\n".join(lines) + "\n")
    return path / "*.obj"


def usd(
    path: Path, x: np.ndarray, up: str = "Y", metres: float = 1.0, name: str = "/World/walker", faces: Any = ()
) -> Path:
    from pxr import Usd, UsdGeom, Vt

    stage = Usd.Stage.CreateNew(str(path))
    UsdGeom.SetStageUpAxis(stage, up)
    UsdGeom.SetStageMetersPerUnit(stage, metres)
    stage.SetTimeCodesPerSecond(FPS)
    mesh = UsdGeom.Mesh.Define(stage, name)
    for k, frame in enumerate(x):
        mesh.GetPointsAttr().Set(Vt.Vec3fArray.FromNumpy(np.ascontiguousarray(frame, np.float32)), k + 1)
    faces = np.array(faces if len(faces) else [[0, 1, 2]])
    mesh.CreateFaceVertexCountsAttr([faces.shape[1]] * len(faces))
    mesh.CreateFaceVertexIndicesAttr(faces.ravel().tolist())
    stage.Save()
    return path


def abc(path: Path, x: np.ndarray, move: Callable[[int], np.ndarray] | None = None, faces: Any = ()) -> Path:
    """Under a transform that moves by `move(frame)`, if any."""
    import imath
    from alembic3d import Abc, AbcGeom
    from alembic3d import AbcCoreAbstract as core

    archive = Abc.CreateArchiveWithInfo(str(path), FPS, "supple", "")
    clock = archive.addTimeSampling(core.TimeSampling(1 / FPS, 1 / FPS))
    top = archive.getTop()
    form = AbcGeom.OXform(top, "walker", Abc.Argument(clock)) if move is not None else None
    mesh = AbcGeom.OPolyMesh(top if form is None else form, "shape" if move else "walker", Abc.Argument(clock))
    faces = np.array(faces if len(faces) else [[0, 1, 2]])[:, ::-1]
    corners = imath.IntArrayFromBuffer(np.ascontiguousarray(faces.ravel(), np.int32))
    counts = imath.IntArrayFromBuffer(np.full(len(faces), faces.shape[1], np.int32))
    for k, frame in enumerate(x):
        points = imath.V3fArrayFromBuffer(np.ascontiguousarray(frame, np.float32))
        mesh.getSchema().set(AbcGeom.OPolyMeshSchemaSample(points, corners, counts))
        if form is not None and move is not None:
            sample = AbcGeom.XformSample()
            sample.setTranslation(imath.V3d(*map(float, move(k))))
            form.getSchema().set(sample)
    del mesh, form, top, archive
    return path


def glb(path: Path, x: np.ndarray, faces: Any = ()) -> Path:
    """Every frame a morph target."""
    parts = GlbParts()
    base = x[0].astype(np.float32)
    targets = [parts.add((frame.astype(np.float32) - base), "VEC3") for frame in x[1:]]
    corners = np.array(faces if len(faces) else [[0, 1, 2]], dtype=np.uint32)
    primitive = {
        "attributes": {"POSITION": parts.add(base, "VEC3")},
        "indices": parts.add(corners.ravel(), "SCALAR"),
        "targets": [{"POSITION": number} for number in targets],
    }
    times = parts.add((np.arange(len(x)) / FPS).astype(np.float32), "SCALAR")
    weights = parts.add(np.eye(len(x), dtype=np.float32)[:, 1:].ravel().copy(), "SCALAR")
    document = {
        "asset": {"version": "2.0"},
        "nodes": [{"name": "walker", "mesh": 0}],
        "meshes": [{"primitives": [primitive]}],
        "animations": [
            {
                "samplers": [{"input": times, "output": weights}],
                "channels": [{"sampler": 0, "target": {"node": 0, "path": "weights"}}],
            }
        ],
    }
    path.write_bytes(parts.file(document))
    return path


WRITERS: dict[str, Callable[[Path, np.ndarray], Path]] = {
    "walk.pc2": pc2,
    "walk.mdd": mdd,
    "walk.npz": npz,
    "frames": obj,
    "walk.usda": usd,
    "walk.usdc": usd,
    "walk.abc": abc,
    "walk.glb": glb,
}
