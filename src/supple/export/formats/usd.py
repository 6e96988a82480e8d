"""USD, through usd-core: meshes, curves and clouds with time-sampled points, for Blender, Houdini, Maya, Omniverse, usdview.

One time code is one frame; velocities are per second, as UsdGeom requires.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from supple import __version__
from supple.export import FORMATS
from supple.export.colours import energy_colours, largest_energy, own_colour
from supple.export.format import Format, needed
from supple.export.formats.usd_materials import bind_material
from supple.export.formats.usd_surface import dress_mesh
from supple.export.lines import polylines
from supple.export.normals import CornerNormals
from supple.export.physics.writing import write_physics
from supple.export.sequence import Body, Instant, Pose, Sequence
from supple.recording.files import unwritten
from supple.recording.playback import Singles
from supple.types import Ints


@FORMATS("usd")
class Usd(Format):
    title = "USD: Blender, Houdini, Maya, Omniverse"
    suffixes = (".usdc", ".usda", ".usd")
    ups = ("z", "y")
    even = True
    colours = True
    physics = True

    def write(self, sequence: Sequence, frames: Iterable[Instant], paths: Mapping[Path, Path]) -> list[str]:
        Sdf, Usd, UsdGeom = (needed(f"pxr.{name}", "usd-core", "usd") for name in ("Sdf", "Usd", "UsdGeom"))
        [path] = paths.values()
        stage = Usd.Stage.Open(Sdf.Layer.CreateAnonymous(path.suffix))
        root = _describe(stage, sequence, UsdGeom)
        largest = largest_energy(sequence) if sequence.energy_colours else None
        width = _line_width(sequence)
        prims = [
            p
            for k, body in enumerate(sequence.bodies)
            for p in _prims(stage, root, body, k, largest, (width, sequence.scale))
        ]
        for prim in (prim for prim in prims if not prim.of.painted):  # after all names are taken
            bind_material(stage, root, prim.prim, sequence.bodies[prim.k], changing=prim.largest is not None)
        notes = [] if sequence.physics is None else write_physics(stage, root, sequence, sequence.physics)
        for number, frame in zip(sequence.numbers, frames, strict=True):
            for prim in prims:
                prim.record(number, frame)
        _export(stage.GetRootLayer(), path)
        return notes


def _export(layer: Any, path: Path) -> None:
    from pxr import Tf

    try:
        if layer.Export(str(path)):
            return
    except Tf.ErrorException as error:
        raise unwritten(path, "usd-core") from error
    raise unwritten(path, "usd-core")


class _Prim:
    """A mesh, a set of curves or a cloud that shows some vertices of a body, in that order."""

    def __init__(self, schema: Any, body: Body, k: int, rows: Ints, margin: float, largest: float | None) -> None:
        self.prim, self.k, self.rows, self.margin = schema.GetPrim(), k, rows, margin
        self.largest = None if body.obstacle else largest
        self.schema, self.of = schema, body
        self.shading: CornerNormals | None = None
        self.points, self.extent = schema.CreatePointsAttr(), schema.CreateExtentAttr()
        self.velocities = None if body.still else schema.CreateVelocitiesAttr()
        self.colour = schema.CreateDisplayColorPrimvar("constant" if self.largest is None else "vertex")
        if self.largest is None:
            self.colour.Set(_vectors(own_colour(body)[None]))

    def record(self, number: int, frame: Instant) -> None:
        pose: Pose = frame.poses[self.k]
        x = pose.x[self.rows]
        when = () if self.of.still else (number,)
        if not when and self.points.HasValue():
            return
        self.points.Set(_vectors(x), *when)
        self.extent.Set(_vectors(np.stack([x.min(axis=0) - self.margin, x.max(axis=0) + self.margin])), *when)
        if self.of.obstacle and len(self.of.faces) and self.of.polygons is None:
            self._shade(x, *when)
        if self.velocities is not None:
            self.velocities.Set(_vectors(pose.v[self.rows]), number)
        if self.largest is not None:
            self.colour.Set(_vectors(energy_colours(pose.energy[self.rows], self.largest)), number)

    def _shade(self, x: Singles, *when: int) -> None:
        """Normals that keep the edges of an obstacle sharp."""
        if self.shading is None:
            self.shading = CornerNormals(self.of.faces, x)
            self.schema.SetNormalsInterpolation("faceVarying")
        self.schema.CreateNormalsAttr().Set(_vectors(self.shading.at(x)), *when)


def _describe(stage: Any, sequence: Sequence, UsdGeom: Any) -> str:
    """Settings of the whole file; returns the path of the default prim."""
    from pxr import Kind, Tf, Usd

    UsdGeom.SetStageUpAxis(stage, sequence.up.upper())
    UsdGeom.SetStageMetersPerUnit(stage, 1 / sequence.scale)
    stage.SetTimeCodesPerSecond(sequence.fps)
    stage.SetFramesPerSecond(sequence.fps)
    stage.SetStartTimeCode(sequence.numbers[0])
    stage.SetEndTimeCode(sequence.numbers[-1])
    stage.GetRootLayer().comment = f"{sequence.film.metadata.get('scene', '')}, simulated by supple {__version__}"
    root = UsdGeom.Xform.Define(stage, f"/{Tf.MakeValidIdentifier(sequence.title)}").GetPrim()
    stage.SetDefaultPrim(root)
    Usd.ModelAPI(root).SetKind(Kind.Tokens.component)
    return str(root.GetPath())


def _prims(
    stage: Any, root: str, body: Body, k: int, largest: float | None, sizes: tuple[float, float]
) -> Iterable[_Prim]:
    """`sizes`: the width of lines, and length units per metre."""
    from pxr import Tf

    name = Tf.MakeValidIdentifier(body.name)
    path = f"{root}/{name}"
    while stage.GetPrimAtPath(path):  # two names may become one
        path += "_"
    if len(body.faces):
        yield _Prim(_mesh(stage, path, body), body, k, np.arange(body.n, dtype=np.int32), 0.0, largest)
    if len(body.edges):
        lines = polylines(body.edges)
        yield _curves(stage, f"{path}_lines" if len(body.faces) else path, lines, (body, k), largest, sizes[0])
    if body.cloud:
        yield _cloud(stage, path, (body, k), largest, sizes[1] * body.spacing)


def _mesh(stage: Any, path: str, body: Body) -> Any:
    from pxr import UsdGeom

    mesh = UsdGeom.Mesh.Define(stage, path)
    counts, corners = body.loops
    mesh.CreateFaceVertexCountsAttr(_integers(counts))
    mesh.CreateFaceVertexIndicesAttr(_integers(corners))
    mesh.CreateSubdivisionSchemeAttr(UsdGeom.Tokens.none)
    mesh.CreateDoubleSidedAttr(not body.closed)
    if body.polygons is not None:
        dress_mesh(stage, mesh, body.polygons)
    return mesh


def _curves(
    stage: Any, path: str, lines: list[Ints], of: tuple[Body, int], largest: float | None, width: float
) -> _Prim:
    from pxr import UsdGeom

    curves = UsdGeom.BasisCurves.Define(stage, path)
    curves.CreateTypeAttr(UsdGeom.Tokens.linear)
    curves.CreateCurveVertexCountsAttr(_integers(np.array([len(line) for line in lines], dtype=np.int32)))
    curves.CreateWidthsAttr([width])
    curves.SetWidthsInterpolation(UsdGeom.Tokens.constant)
    return _Prim(curves, *of, np.concatenate(lines), width / 2, largest)


def _cloud(stage: Any, path: str, of: tuple[Body, int], largest: float | None, width: float) -> _Prim:
    """A ball for each point."""
    from pxr import UsdGeom, Vt

    rows = np.arange(of[0].n, dtype=np.int32)
    points = UsdGeom.Points.Define(stage, path)
    points.CreateWidthsAttr([width])
    points.SetWidthsInterpolation(UsdGeom.Tokens.constant)
    points.CreateIdsAttr(Vt.Int64Array.FromNumpy(rows.astype(np.int64)))
    return _Prim(points, *of, rows, width / 2, largest)


def _line_width(sequence: Sequence) -> float:
    """Line width: thin relative to the whole, but visible."""
    size = float(np.linalg.norm(np.ptp(sequence.film.frame(0).x, axis=0)))
    return 0.005 * size * sequence.scale


def _vectors(rows: Singles) -> Any:
    from pxr import Vt

    return Vt.Vec3fArray.FromNumpy(np.ascontiguousarray(rows, dtype=np.float32))


def _integers(values: Ints) -> Any:
    from pxr import Vt

    return Vt.IntArray.FromNumpy(np.ascontiguousarray(values))
