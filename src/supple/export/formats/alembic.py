"""Alembic (Ogawa), through alembic3d: polygon meshes, linear curves and points with velocities; y is up by convention.

Frame number k is at k / fps seconds, so it is frame k in a program with the same rate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from supple import __version__
from supple.escaping import file_part
from supple.export import FORMATS
from supple.export.corners import padded_uv
from supple.export.format import Format, needed
from supple.export.lines import polylines
from supple.export.normals import CornerNormals
from supple.export.sequence import Body, Instant, Sequence
from supple.mesh.faces.polygons import Polygons
from supple.recording.files import demand_space
from supple.recording.playback import Singles
from supple.types import Ints

ROOM = 400
"""Bytes per vertex and frame, at most: positions, velocities, and the normals of the corners of faces."""


@FORMATS("abc")
class Alembic(Format):
    title = "Alembic: Blender, Houdini, Maya, Cinema 4D"
    suffixes = (".abc",)
    ups = ("y",)
    even = True

    def write(self, sequence: Sequence, frames: Iterable[Instant], paths: Mapping[Path, Path]) -> list[str]:
        Abc, core = (needed(f"alembic3d.{name}", "alembic3d", "alembic") for name in ("Abc", "AbcCoreAbstract"))
        [path] = paths.values()
        what = f"{sequence.film.metadata.get('scene', '')}"
        archive = Abc.CreateArchiveWithInfo(str(path), sequence.fps, f"supple {__version__}", what)
        clock = archive.addTimeSampling(core.TimeSampling(1 / sequence.fps, sequence.first / sequence.fps))
        top, taken = archive.getTop(), set[str]()
        objects = [
            made
            for k, body in enumerate(sequence.bodies)
            for made in _objects(top, body, k, (clock, sequence.scale), taken)
        ]
        largest = sum(ROOM * body.n for body in sequence.bodies)
        for number, frame in enumerate(frames):
            demand_space(path.parent, largest)  # the library ends the process when the disk is full
            for made in objects:
                if number == 0 or not made.still:
                    made.record(frame)
        # the archive is complete on disk when its last object is gone
        del objects, made, top, archive
        return []


class _Polygons:
    """The faces of a body."""

    def __init__(self, top: Any, name: str, body: Body, k: int, clock: int) -> None:
        from alembic3d import Abc, AbcGeom

        self.k, self.still, self.object = k, body.still, AbcGeom.OPolyMesh(top, name, Abc.Argument(clock))
        self.body = body
        self.shading: CornerNormals | None = None
        counts, corners = body.loops
        # Alembic lists corners clockwise seen from outside
        clockwise = _backwards(counts)
        self.corners, self.counts = _integers(corners[clockwise]), _integers(counts)
        self.uvs = None if body.polygons is None or not body.polygons.has_uv else _uvs(body.polygons, clockwise)
        if body.polygons is not None:
            _face_sets(self.object.getSchema(), body.polygons)

    def record(self, frame: Instant) -> None:
        from alembic3d import AbcGeom

        pose = frame.poses[self.k]
        sample = AbcGeom.OPolyMeshSchemaSample(_vectors(pose.x), self.corners, self.counts)
        sample.setVelocities(_vectors(pose.v))
        if self.body.obstacle and self.body.polygons is None:
            sample.setNormals(self._normals(pose.x))
        if self.uvs is not None:
            sample.setUVs(self.uvs)
            self.uvs = None  # those of the first frame apply to all
        self.object.getSchema().set(sample)

    def _normals(self, x: Singles) -> Any:
        """Normals that keep the edges of an obstacle sharp, in the order of the corners."""
        from alembic3d import AbcGeom

        self.shading = self.shading or CornerNormals(self.body.faces, x)
        corners = self.shading.at(x).reshape(-1, 3, 3)[:, ::-1].reshape(-1, 3)
        return AbcGeom.ON3fGeomParamSample(_vectors(corners), AbcGeom.GeometryScope.kFacevaryingScope)


class _Lines:
    """The edges of a body that belong to no face."""

    def __init__(self, top: Any, name: str, body: Body, k: int, clock: int) -> None:
        from alembic3d import Abc, AbcGeom

        lines = polylines(body.edges)
        self.k, self.still, self.object = k, body.still, AbcGeom.OCurves(top, name, Abc.Argument(clock))
        self.rows = np.concatenate(lines)
        self.counts = _integers(np.array([len(line) for line in lines], dtype=np.int32))

    def record(self, frame: Instant) -> None:
        from alembic3d import AbcGeom

        pose = frame.poses[self.k]
        sample = AbcGeom.OCurvesSchemaSample(_vectors(pose.x[self.rows]), self.counts, AbcGeom.CurveType.kLinear)
        sample.setVelocities(_vectors(pose.v[self.rows]))
        self.object.getSchema().set(sample)


class _Points:
    """The points of a cloud, with their spacing as width."""

    def __init__(self, top: Any, name: str, body: Body, k: int, clock: int, scale: float) -> None:
        import imath
        from alembic3d import Abc, AbcGeom

        self.k, self.still, self.object = k, body.still, AbcGeom.OPoints(top, name, Abc.Argument(clock))
        self.ids = _integers(np.arange(body.n, dtype=np.int32))
        width = imath.FloatArrayFromBuffer(np.array([scale * body.spacing], dtype=np.float32))
        self.widths = AbcGeom.OFloatGeomParamSample(width, AbcGeom.GeometryScope.kConstantScope)

    def record(self, frame: Instant) -> None:
        from alembic3d import AbcGeom

        pose = frame.poses[self.k]
        sample = AbcGeom.OPointsSchemaSample(_vectors(pose.x), self.ids, _vectors(pose.v), self.widths)
        self.object.getSchema().set(sample)


def _objects(
    top: Any, body: Body, k: int, clock_and_scale: tuple[int, float], taken: set[str]
) -> Iterable[_Polygons | _Lines | _Points]:
    """The objects of a body, with unique names."""
    clock, scale = clock_and_scale
    beside = "_lines" if len(body.faces) else ""
    kinds: list[tuple[Callable[..., _Polygons | _Lines | _Points], Ints, str]] = [
        (_Polygons, body.faces, ""),
        (_Lines, body.edges, beside),
        (partial(_Points, scale=scale), body.points, ""),
    ]
    for kind, cells, ending in kinds:
        if len(cells):
            name = file_part(body.name) + ending
            while name in taken:
                name += "_"
            taken.add(name)
            yield kind(top, name, body, k, clock)


def _backwards(counts: Ints) -> npt.NDArray[np.int64]:
    """(c,) indices of the corners of all faces, each face from its last corner to its first."""
    ends = np.cumsum(counts, dtype=np.int64)
    return np.repeat(2 * ends - counts - 1, counts) - np.arange(int(counts.sum()))


def _uvs(polygons: Polygons, order: npt.NDArray[np.int64]) -> Any:
    """Texture coordinates, one for each corner of each face."""
    import imath
    from alembic3d import AbcGeom

    values, rows = padded_uv(polygons)
    # the binding does not accept index lists, so each corner has its own pair
    pairs = imath.V2fArrayFromBuffer(np.ascontiguousarray(values[rows[order]], dtype=np.float32))
    return AbcGeom.OV2fGeomParamSample(pairs, AbcGeom.GeometryScope.kFacevaryingScope)


def _face_sets(schema: Any, polygons: Polygons) -> None:
    """A set of faces for each material, from which importers create slots."""
    from alembic3d import AbcGeom

    labels = polygons.materials
    for k in (k for k in labels.used() if k >= 0):
        made = schema.createFaceSet(file_part(labels.names[k]))
        sample = AbcGeom.OFaceSetSchemaSample(_integers(np.flatnonzero(labels.of == k).astype(np.int32)))
        made.getSchema().set(sample)


def _vectors(rows: Singles) -> Any:
    import imath

    return imath.V3fArrayFromBuffer(np.ascontiguousarray(rows, dtype=np.float32))


def _integers(values: Ints) -> Any:
    import imath

    return imath.IntArrayFromBuffer(np.ascontiguousarray(values, dtype=np.int32))
