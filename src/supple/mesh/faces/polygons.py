"""The faces of a model as stored in its file: polygons, texture coordinates, hard edges, and names for sets of faces.

A simulation needs triangles between welded vertices. A model has polygons, and a vertex on a texture seam has several
texture coordinates. Both index the same vertices, so the polygons are kept beside the triangles and exported again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
import numpy.typing as npt

from supple.errors import MeshError
from supple.types import Array, Ints

MOST_MEMBERS = 10_000_000
SHARES = 16
"""Largest number of members of all groups together: a constant, or this many per corner of a face. A line of a file can name any
number of groups for all faces."""
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Labels:
    """An optional name for each face."""

    names: tuple[str, ...]
    of: Ints
    """(f,) index of the name of a face; -1 for none."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "of", np.asarray(self.of, dtype=np.int32))

    def used(self) -> list[int]:
        """Labels in use, ascending, including -1 for none."""
        return np.unique(self.of).tolist()

    def used_names(self) -> list[str]:
        """Names in use."""
        return [self.names[k] for k in self.used() if k >= 0]

    def rows(self, faces: npt.NDArray[np.int64]) -> Labels:
        """The labels of some of the faces."""
        return Labels(self.names, self.of[faces])


@dataclass(frozen=True)
class Finish:
    """A material as described by a material library."""

    colour: tuple[float, float, float] | None = None
    """Diffuse red, green and blue, 0 to 1."""
    texture: str | None = None
    """File of the diffuse texture."""


@dataclass(frozen=True, eq=False)
class Polygons:
    """`counts` (f,) corners of each face; the other arrays have one row for each of the c corners, face after face."""

    counts: Ints
    corners: Ints
    """(c,) vertices, counterclockwise seen from outside."""
    uv: Array
    """(u, 2) texture coordinates."""
    uv_corners: Ints
    """(c,) row of `uv` of a corner; -1 for none."""
    smooth: Ints
    """(c,) corners of a vertex with the same index share a normal; -1: the face normal."""
    objects: Labels
    groups: Labels
    """Names may contain several words, each of them a group."""
    materials: Labels
    finishes: Mapping[str, Finish] = field(default_factory=dict)
    """By the name of the material, where a library describes it."""

    def __post_init__(self) -> None:
        keep = partial(object.__setattr__, self)
        for name in ("counts", "corners", "uv_corners", "smooth"):
            keep(name, np.ascontiguousarray(getattr(self, name), dtype=np.int32))
        keep("uv", np.ascontiguousarray(self.uv, dtype=np.float64).reshape(-1, 2))
        f, c = len(self.counts), int(self.counts.sum())
        labels = (self.objects, self.groups, self.materials)
        lengths = [len(self.corners), len(self.uv_corners), len(self.smooth)]
        if lengths != [c] * 3 or any(len(label.of) != f for label in labels):
            raise MeshError(f"polygons: {f} faces have {c} corners, found arrays for {lengths} corners")

    def __len__(self) -> int:
        return len(self.counts)

    @property
    def starts(self) -> npt.NDArray[np.int64]:
        """(f,) where the corners of each face begin."""
        return np.cumsum(self.counts, dtype=np.int64) - self.counts

    @property
    def owner(self) -> npt.NDArray[np.int64]:
        """(c,) face that each corner belongs to."""
        return np.repeat(np.arange(len(self.counts)), self.counts)

    @property
    def has_uv(self) -> bool:
        """Whether any corner has texture coordinates."""
        return bool((self.uv_corners >= 0).any())

    @property
    def has_normals(self) -> bool:
        """Whether the file specified which corners share a normal."""
        return bool((self.smooth >= 0).any())

    def renumbered(self, number: Ints) -> Polygons:
        """The same faces after vertex i became `number[i]`."""
        return replace(self, corners=number[self.corners])

    def kept(self, faces: Mask) -> Polygons:
        """A subset of the faces, with the texture coordinates that they use."""
        rows, corners = np.flatnonzero(faces), np.repeat(faces, self.counts)
        uv_corners = self.uv_corners[corners]
        used = np.unique(uv_corners[uv_corners >= 0])
        return replace(
            self,
            counts=self.counts[rows],
            corners=self.corners[corners],
            uv=self.uv[used],
            uv_corners=np.where(uv_corners < 0, -1, np.searchsorted(used, uv_corners)),
            smooth=self.smooth[corners],
            objects=self.objects.rows(rows),
            groups=self.groups.rows(rows),
            materials=self.materials.rows(rows),
        )

    def vertex_groups(self) -> dict[str, Ints]:
        """The vertices of each object and of each group, by name."""
        found: dict[str, list[Ints]] = {}
        room = max(MOST_MEMBERS, SHARES * len(self.corners))
        for labels in (self.objects, self.groups):
            of_corner = np.repeat(labels.of, self.counts)
            order = np.argsort(of_corner, kind="stable")
            ends = np.searchsorted(of_corner[order], np.arange(len(labels.names) + 1))
            for name, first, last in zip(labels.names, ends[:-1], ends[1:], strict=True):
                members = np.unique(self.corners[order[first:last]])
                words = [name] if labels is self.objects else name.split()
                room -= len(words) * len(members)
                if room < 0:
                    raise MeshError(
                        f"the group line '{name[:60]}' has {len(words)} names for {len(members)} vertices; all groups together "
                        f"have at most {MOST_MEMBERS:,} members, or {SHARES} for each corner of a face: give faces fewer groups"
                    )
                for word in words:
                    found.setdefault(word, []).append(members)
        return {name: np.unique(np.concatenate(members)) for name, members in found.items()}


def plain_polygons(triangles: Ints) -> Polygons:
    """Triangles as faces without texture coordinates and names."""
    f = len(triangles)
    none, no_face = np.full(3 * f, -1, dtype=np.int32), Labels((), np.full(f, -1, dtype=np.int32))
    counts = np.full(f, 3, dtype=np.int32)
    return Polygons(counts, triangles.ravel(), np.empty((0, 2)), none, none, no_face, no_face, no_face)
