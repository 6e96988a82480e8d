"""Alembic, through alembic3d: meshes, subdivision surfaces, points and curves under their transforms; y is up by convention."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Any

import numpy as np

from supple.clips.clip import Clip, Faces
from supple.clips.clip_file import ClipFile, needed, read_bytes
from supple.clips.room import demand_room
from supple.clips.sampling import applied, linear, merged, one_count
from supple.clips.space import Space
from supple.errors import SuppleError
from supple.types import Array

KINDS = {
    "AbcGeom_PolyMesh_v1": "IPolyMesh",
    "AbcGeom_SubD_v1": "ISubD",
    "AbcGeom_Points_v1": "IPoints",
    "AbcGeom_Curve_v2": "ICurves",
}
MAGIC = (b"Ogawa", b"\x89HDF")


class AlembicFile(ClipFile):
    title = "Alembic"

    @property
    def space(self) -> Space:
        return Space(None, "y")

    @cached_property
    def _archive(self) -> Any:
        Abc = needed("alembic3d.Abc", "alembic3d", "alembic")
        if not read_bytes(self.path)[:5].startswith(MAGIC):
            raise SuppleError(f"{self.file}: is not an Alembic file; export it again")
        try:
            return Abc.IArchive(str(self.path))
        except Exception as error:  # the binding raises its own types
            raise SuppleError(f"{self.file}: cannot be read as Alembic: {error}; export it again") from error

    @cached_property
    def _found(self) -> dict[str, Any]:
        """All objects of supported kinds, and cameras, by path."""
        found: dict[str, Any] = {}

        def visit(parent: Any) -> None:
            for k in range(parent.getNumChildren()):
                child = parent.getChild(k)
                found[child.getFullName()] = child
                visit(child)

        with self._reading():
            visit(self._archive.getTop())
        return found

    @cached_property
    def _schemas(self) -> dict[str, str]:
        """What each of them is, by path."""
        with self._reading():
            return {path: _schema(found) for path, found in self._found.items()}

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """The binding raises RuntimeErrors and ValueErrors on damaged files."""
        try:
            yield
        except (RuntimeError, ValueError, IndexError, OverflowError, UnicodeDecodeError, MemoryError) as error:
            said = " ".join(str(error).split())[:200] or type(error).__name__
            raise SuppleError(f"{self.file}: cannot be read as Alembic: {said}; export it again") from error

    @cached_property
    def objects(self) -> Sequence[str]:
        return tuple(path for path, schema in self._schemas.items() if schema in KINDS)

    @property
    def cameras(self) -> Sequence[str]:
        return tuple(path for path, schema in self._schemas.items() if schema == "AbcGeom_Camera_v1")

    def clip(self, name: str) -> Clip:
        with self._reading():
            return self._clip(name)

    def _clip(self, name: str) -> Clip:
        kind, schema = self._geometry(name)
        demand_room(self.file, schema.getNumSamples(), 1)
        own = _times(schema)
        transforms = list(self._transforms(self._found[name]))
        points = [_vectors(_sample(schema, k).getPositions()) for k in range(schema.getNumSamples())]
        if not points:
            raise SuppleError(f"{self.file}: '{name}' has no frames; export at least one")
        moving = [times for times, values in transforms if len(values) > 1]
        clocks = [*([own] if len(points) > 1 else []), *moving] or [own[:1]]
        times = merged(np.concatenate(clocks), _spacing(clocks))
        stacked = one_count(self.file, name, points)
        frames = np.empty((len(times), *stacked.shape[1:]), dtype=np.float64 if transforms else np.float32)
        for k, t in enumerate(times.tolist()):
            x = linear(own, stacked, t)  # type: ignore[arg-type]
            for clock, values in transforms:
                x = applied(x, linear(clock, values, t))
            frames[k] = x
        faces = _faces(kind, schema, stacked.shape[1])
        return Clip(self.file, name, times, frames, faces, space=self.space)

    def _geometry(self, name: str) -> tuple[str, Any]:
        geometry = needed("alembic3d.AbcGeom", "alembic3d", "alembic")
        Abc = needed("alembic3d.Abc", "alembic3d", "alembic")
        found = self._found[name]
        kind = KINDS[self._schemas[name]]
        return kind, getattr(geometry, kind)(found, Abc.WrapExistingFlag.kWrapExisting).getSchema()

    def _transforms(self, found: Any) -> Iterator[tuple[Array, list[Array]]]:
        """Times and matrices of all transforms above an object, from the inside out."""
        geometry = needed("alembic3d.AbcGeom", "alembic3d", "alembic")
        Abc = needed("alembic3d.Abc", "alembic3d", "alembic")
        above = found.getParent()
        while above.valid() and above.getFullName() != "/":
            if _schema(above) == "AbcGeom_Xform_v3":
                schema = geometry.IXform(above, Abc.WrapExistingFlag.kWrapExisting).getSchema()
                samples = [_sample(schema, k) for k in range(schema.getNumSamples())]
                matrices = [np.array([list(row) for row in sample.getMatrix()], dtype=np.float64) for sample in samples]
                if any(not np.array_equal(m, np.eye(4)) for m in matrices):
                    yield _times(schema), matrices
                if samples and not samples[0].getInheritsXforms():
                    return
            above = above.getParent()


def _schema(found: Any) -> str:
    return str(found.getMetaData().get("schema"))


def _sample(schema: Any, k: int) -> Any:
    from alembic3d import Abc

    # the binding accepts any number as a time
    return schema.getValue(Abc.ISampleSelector(float(schema.getTimeSampling().getSampleTime(k))))


def _times(schema: Any) -> Array:
    clock = schema.getTimeSampling()
    return np.array([clock.getSampleTime(k) for k in range(schema.getNumSamples())], dtype=np.float64)


def _spacing(clocks: list[Array]) -> float:
    steps = [np.diff(clock) for clock in clocks if len(clock) > 1]
    return float(np.median(np.concatenate(steps))) if steps else 1.0


def _vectors(values: Any) -> Array:
    return np.array(values, dtype=np.float32).reshape(-1, 3)  # type: ignore[return-value]


def _faces(kind: str, schema: Any, n: int) -> Faces | None:
    """The faces of the first frame; Alembic lists corners clockwise seen from outside."""
    if kind not in ("IPolyMesh", "ISubD"):
        return None
    sample = _sample(schema, 0)
    counts, corners = (
        np.array(values, dtype=np.int32).ravel() for values in (sample.getFaceCounts(), sample.getFaceIndices())
    )
    if (counts < 0).any() or counts.sum(dtype=np.int64) != len(corners):
        raise ValueError(f"{len(corners)} corners for faces that have {counts.sum(dtype=np.int64)}")
    if len(corners) and not 0 <= corners.min() <= corners.max() < n:
        raise ValueError(f"its faces name points that are none of its {n}")
    ends = np.cumsum(counts, dtype=np.int64)
    backwards = np.repeat(2 * ends - counts - 1, counts) - np.arange(len(corners))
    return Faces(counts, corners[backwards])
