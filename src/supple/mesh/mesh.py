"""The mesh: rest positions, elements of each kind, and names for parts of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from supple.errors import MeshError, did_you_mean
from supple.mesh.faces.polygons import Polygons
from supple.types import Array, Ints

INDEX_LIMIT = np.iinfo(np.int32).max


def _empty(k: int) -> Ints:
    return np.empty((0, k), dtype=np.int32)


@dataclass(frozen=True, eq=False)
class Mesh:
    """Vertices and the elements between them, in read-only arrays.

    Construction checks shapes and types only; `supple.mesh.doctor` checks the geometry. A tet is positive when
    det(x1 - x0, x2 - x0, x3 - x0) > 0. Meshes compare by identity.
    """

    vertices: Array
    """Rest positions (n, 3) [m]."""
    edges: Ints = field(default_factory=partial(_empty, 2))
    """Two corners each (e, 2): springs, ropes."""
    triangles: Ints = field(default_factory=partial(_empty, 3))
    """Three corners each (f, 3): cloth, shells, surfaces."""
    tets: Ints = field(default_factory=partial(_empty, 4))
    """Four corners each (m, 4): solids."""
    groups: Mapping[str, Ints] = field(default_factory=dict)
    """Named sets of vertices: sorted indices without repetition."""
    edge_groups: Mapping[str, Ints] = field(default_factory=dict)
    """Named sets of edges: sorted indices without repetition."""
    tags: Mapping[str, Ints] = field(default_factory=dict)
    """Named integers, one per tet (m,): its part or material."""
    polygons: Polygons | None = None
    """The model faces that the triangles were made from, with texture coordinates and names."""

    def __post_init__(self) -> None:
        keep = partial(object.__setattr__, self)
        keep("vertices", _positions(self.vertices))
        keep("edges", _corners(self.edges, 2, "edges"))
        keep("triangles", _corners(self.triangles, 3, "triangles"))
        keep("tets", _corners(self.tets, 4, "tets"))
        keep("groups", _named(self.groups, "groups"))
        keep("edge_groups", _named(self.edge_groups, "edge_groups"))
        keep("tags", _tags(self.tags, len(self.tets)))
        if self.polygons is not None:
            _check_polygons(self.polygons, self.n, len(self.triangles))

    @property
    def n(self) -> int:
        """Number of vertices."""
        return len(self.vertices)

    @property
    def is_solid(self) -> bool:
        """Whether the mesh has tets."""
        return len(self.tets) > 0

    @property
    def extent(self) -> Array:
        """Lengths of the bounding box along x, y and z [m]."""
        if self.n == 0:
            return np.zeros(3)
        return np.ptp(self.vertices, axis=0)

    def group(self, name: str) -> Ints:
        """Vertices of a group; an unknown name is an error that lists the known ones.

        In a mesh of several bodies groups are called `body.group`; the group name alone suffices where only one body
        has it.
        """
        if name not in self.groups:
            of_one = [known for known in self.groups if known.endswith(f".{name}")]
            if len(of_one) == 1:
                return self.groups[of_one[0]]
            known = ", ".join(sorted(self.groups)) or "none"
            raise MeshError(f"unknown vertex group '{name}'{did_you_mean(name, self.groups)} known: {known}")
        return self.groups[name]

    def moved(self, vertices: Array) -> Mesh:
        """The same mesh with other vertex positions."""
        if np.shape(vertices) != self.vertices.shape:
            raise MeshError(
                f"vertices: found shape {np.shape(vertices)}; this mesh has {self.n} vertices, give ({self.n}, 3)"
            )
        return replace(self, vertices=vertices)

    def renumbered(self, vertices: Array, number: Ints) -> Mesh:
        """The same elements on renumbered vertices: i becomes `number[i]`, or is dropped from all groups where that is -1."""
        groups = {name: number[members] for name, members in self.groups.items()}
        return replace(
            self,
            vertices=vertices,
            edges=number[self.edges],
            triangles=number[self.triangles],
            tets=number[self.tets],
            groups={name: members[members >= 0] for name, members in groups.items()},
            polygons=None if self.polygons is None else self.polygons.renumbered(number),
        )

    def with_groups(self, groups: Mapping[str, npt.ArrayLike]) -> Mesh:
        """The same mesh with more vertex groups; one that exists already is replaced."""
        return replace(self, groups={**self.groups, **_named(groups, "groups")})


def _frozen(array: npt.NDArray[Any], dtype: type) -> npt.NDArray[Any]:
    """A read-only C-contiguous array; the caller's array is copied and stays writable."""
    if array.dtype == dtype and array.flags.c_contiguous and array.flags.owndata and not array.flags.writeable:
        return array
    kept: npt.NDArray[Any] = np.array(array, dtype=dtype, order="C")
    kept.flags.writeable = False
    return kept


def _positions(value: npt.ArrayLike) -> Array:
    array = _plain(value, "vertices")
    if array.ndim != 2 or array.shape[1] != 3 or array.dtype.kind not in "fiu":
        raise MeshError(
            f"vertices: found shape {array.shape} of {array.dtype}; give an (n, 3) array of numbers (pad flat meshes)"
        )
    return _frozen(array, np.float64)


def _corners(value: npt.ArrayLike, k: int, where: str) -> Ints:
    array = _plain(value, where)
    if array.size == 0:
        return _frozen(_empty(k), np.int32)
    if array.ndim != 2 or array.shape[1] != k:
        raise MeshError(f"{where}: found shape {array.shape}; give one row of {k} vertex indices for each element")
    return _indices(array, where)


def _entries(value: Mapping[str, npt.ArrayLike], where: str) -> Iterable[tuple[str, npt.ArrayLike]]:
    if not isinstance(value, Mapping):
        raise MeshError(f"{where}: found {type(value).__name__}; give a dictionary of names and arrays of numbers")
    odd = next((name for name in value if not isinstance(name, str)), None)
    if odd is not None:
        raise MeshError(f"{where}: found the name {odd!r}; give a text")
    return value.items()


def _named(value: Mapping[str, npt.ArrayLike], where: str) -> dict[str, Ints]:
    named: dict[str, Ints] = {}
    for name, members in _entries(value, where):
        array = _plain(members, f"{where}[{name!r}]")
        if array.ndim != 1:
            raise MeshError(f"{where}[{name!r}]: found shape {array.shape}; give a flat list of indices")
        array = array if array.size else np.empty(0, dtype=np.int32)
        named[name] = _frozen(np.unique(_indices(array, f"{where}[{name!r}]")), np.int32)
    return named


def _tags(value: Mapping[str, npt.ArrayLike], m: int) -> dict[str, Ints]:
    tags: dict[str, Ints] = {}
    for name, numbers in _entries(value, "tags"):
        where = f"tags[{name!r}]"
        array = _plain(numbers, where)
        if array.shape != (m,):
            raise MeshError(f"{where}: found shape {array.shape}; give one whole number for each of the {m} tets")
        tags[name] = _indices(array, where)
    return tags


def _check_polygons(polygons: Polygons, n: int, f: int) -> None:
    cut = int(polygons.counts.sum()) - 2 * len(polygons)
    if cut != f or (len(polygons) and not 0 <= polygons.corners.min() <= polygons.corners.max() < n):
        raise MeshError(
            f"polygons: found {len(polygons)} faces that give {cut} triangles; they must be those of the mesh, which has "
            f"{f} triangles and {n} vertices (leave polygons out when triangles change)"
        )


def _indices(array: npt.NDArray[Any], where: str) -> Ints:
    if array.dtype.kind not in "iu":
        raise MeshError(f"{where}: found values of {array.dtype}; give integer indices that count from 0")
    if array.size and (array.max() > INDEX_LIMIT or array.min() < -INDEX_LIMIT):
        raise MeshError(f"{where}: index {array.max()} does not fit 32 bits; is this an index at all?")
    return _frozen(array, np.int32)


def _plain(value: npt.ArrayLike, where: str) -> npt.NDArray[Any]:
    if np.ma.is_masked(value):
        raise MeshError(f"{where}: {np.ma.count_masked(value)} entries are masked; give a number for each of them")
    try:
        return np.asarray(value)
    except ValueError as error:
        raise MeshError(f"{where}: rows of different length; each needs the same number of entries") from error


def join(bodies: Mapping[str, Mesh]) -> Mesh:
    """Several bodies as one mesh, vertices in order; a group is called `body.group` there."""
    parts: dict[str, list[npt.NDArray[Any]]] = {"vertices": [], "edges": [], "triangles": [], "tets": []}
    groups: dict[str, npt.NDArray[Any]] = {}
    edge_groups: dict[str, npt.NDArray[Any]] = {}
    first, first_edge = 0, 0
    for name, mesh in bodies.items():
        parts["vertices"].append(mesh.vertices)
        for kind in ("edges", "triangles", "tets"):
            parts[kind].append(getattr(mesh, kind) + first)
        groups |= {f"{name}.{group}": vertices + first for group, vertices in mesh.groups.items()}
        edge_groups |= {f"{name}.{group}": edges + first_edge for group, edges in mesh.edge_groups.items()}
        first += mesh.n
        first_edge += len(mesh.edges)
    x, edges, triangles, tets = (np.concatenate(arrays) for arrays in parts.values())
    return Mesh(x, edges, triangles, tets, groups=groups, edge_groups=edge_groups)
