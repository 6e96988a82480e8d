"""Between supple's `Mesh` and the mesh object of meshio, which reads and writes the file formats.

Vertex groups are stored as point data `group:NAME` (0 or 1 for each vertex), edge groups as cell data `edge_group:NAME`.
In Gmsh's files edge groups are physical groups of that name: meshio cannot read cell data of several element types there.
Integer cell data are tags of tets; named physical volumes give one more array, 1 inside and 0 elsewhere.
Gmsh and Medit files hold one array of tags, called `gmsh:physical` or `medit:ref`.
"""

from __future__ import annotations

from typing import Any, Literal
from urllib.parse import quote, unquote

import numpy as np
import numpy.typing as npt

from supple.errors import MeshError
from supple.mesh.faces.polygons import MOST_MEMBERS, SHARES
from supple.mesh.mesh import Mesh
from supple.mesh.topology import boundary_triangles, distinct, unique_edges
from supple.types import Array, Ints

EdgeNames = Literal["data", "tags", "none"]
"""How a format names edges: one array per group, one tag per edge, or not at all."""

GROUP, EDGE_GROUP = "group:", "edge_group:"
OWN_TAGS = {"tags": "gmsh:physical", "none": "medit:ref"}
"""The single tag array of formats without arbitrary cell data, by their naming of edges."""
Rows = dict[int, Any]
"""Rows of some blocks of cells, by the number of the block."""
VOLUMES = 64
"""Named physical volumes that any mesh may have: each gives every tet a number."""
KNOWN_CELLS = {"vertex", "line", "triangle", "quad", "tetra"}
LINEAR_CELLS = {"hexahedron", "wedge", "pyramid"}


def from_meshio(data: Any) -> Mesh:
    """The mesh in a file.

    Quads are split into two triangles. In a file with tets, triangles that only repeat their boundary and lines that
    only repeat their edges are omitted. Mesh generators write them for their names, which become vertex groups.
    """
    _refuse_other_cells(data)
    x = np.asarray(data.points, dtype=np.float64)
    if len(x) == 0:
        raise MeshError("found no vertices; is this a mesh file?")
    if x.shape[1] < 3:
        x = np.pad(x, ((0, 0), (0, 3 - x.shape[1])))
    edges, triangles, tets = (_cells(data, kind, k) for kind, k in (("line", 2), ("triangle", 3), ("tetra", 4)))
    quads = _cells(data, "quad", 4)
    triangles = np.concatenate([triangles, quads[:, [[0, 1, 2], [0, 2, 3]]].reshape(-1, 3)])
    edge_groups = _edge_groups(data)
    if len(tets):
        triangles = _without(triangles, boundary_triangles(tets))
        edges = edges if edge_groups else _without(edges, unique_edges(tets))
    return Mesh(x, edges, triangles, tets, groups=_groups(data), edge_groups=edge_groups, tags=_tags(data))


def to_meshio(mesh: Mesh, with_groups: bool, edge_names: EdgeNames) -> Any:
    """meshio's object for a mesh, with as many names as the format can carry."""
    import meshio

    kinds = (("line", mesh.edges), ("triangle", mesh.triangles), ("tetra", mesh.tets))
    # meshio modifies its input, and some of its writers expect 64-bit indices.
    cells = [(kind, np.array(c, dtype=np.int64)) for kind, c in kinds if len(c)]
    data = meshio.Mesh(mesh.vertices.copy(), cells)
    if with_groups:
        data.point_data = {GROUP + quote(g, safe=""): _mask(members, mesh.n) for g, members in mesh.groups.items()}
    edge_groups = {EDGE_GROUP + quote(g, safe=""): members for g, members in mesh.edge_groups.items()}
    if edge_names == "data":
        for name, members in edge_groups.items():
            data.cell_data[name] = [_mask(members if kind == "line" else members[:0], len(c)) for kind, c in cells]
    if edge_names == "tags":
        tags = np.zeros(len(mesh.edges), dtype=np.int32)
        for tag, (name, members) in enumerate(edge_groups.items(), start=1):
            tags[members] = tag
            data.field_data[name] = np.array([tag, 1])
        data.cell_data["gmsh:physical"] = [tags if kind == "line" else np.zeros(len(c), np.int32) for kind, c in cells]
        data.cell_data["gmsh:geometrical"] = [np.ones(len(c), dtype=np.int32) for _, c in cells]
    for name, numbers in written_tags(mesh, edge_names).items():
        others = data.cell_data.get(name, [np.zeros(len(c), dtype=np.int32) for _, c in cells])
        data.cell_data[name] = [numbers if kind == "tetra" else o for o, (kind, _) in zip(others, cells, strict=True)]
    return data


def written_tags(mesh: Mesh, edge_names: EdgeNames) -> dict[str, Ints]:
    """The tags that a format can hold, under the names used there."""
    if edge_names == "data":
        return dict(mesh.tags)
    own = OWN_TAGS[edge_names]
    kept = mesh.tags.get(own, next(iter(mesh.tags.values()), None))
    return {} if kept is None else {own: np.array(kept)}


def edge_groups_overlap(mesh: Mesh) -> bool:
    """Whether an edge belongs to several groups."""
    members = list(mesh.edge_groups.values())
    return bool(members) and len(np.unique(np.concatenate(members))) < sum(map(len, members))


def merged_vertices(mesh: Mesh) -> Mesh:
    """Merge vertices at exactly the same position (a file of loose triangles repeats them)."""
    first, inverse, _ = distinct(mesh.vertices + 0.0)  # + 0.0 maps -0.0 to 0.0, which differ as bytes
    rank = np.argsort(np.argsort(first))  # keep the order in which they appear
    number = rank[inverse].astype(np.int32)
    return Mesh(mesh.vertices[np.sort(first)], number[mesh.edges], number[mesh.triangles], number[mesh.tets])


def _refuse_other_cells(data: Any) -> None:
    others: dict[str, int] = {}
    for block in data.cells:
        if block.type not in KNOWN_CELLS:
            others[block.type] = others.get(block.type, 0) + len(block)
    if not others:
        return
    found = ", ".join(f"{count} {kind}" for kind, count in others.items())
    if all(kind in LINEAR_CELLS or kind.startswith(("polygon", "polyhedron")) for kind in others):
        remedy = "split them into tets or triangles in the program that made the mesh"
    else:
        remedy = "elements of second or higher order are not supported; export the mesh with linear elements"
    raise MeshError(f"found {found} elements; supple reads line, triangle, quad and tetra; {remedy}")


def _cells(data: Any, kind: str, k: int) -> npt.NDArray[Any]:
    blocks = [np.asarray(block.data).reshape(-1, k) for block in data.cells if block.type == kind]
    return np.concatenate(blocks) if blocks else np.empty((0, k), dtype=np.int32)


def _without(cells: npt.NDArray[Any], known: Ints) -> npt.NDArray[Any]:
    """The cells that are not among the known ones, regardless of corner order."""
    rows = np.sort(np.concatenate([known, cells]), axis=1)
    _, inverse, _ = distinct(rows)
    return cells[~np.isin(inverse[len(known) :], inverse[: len(known)])]


def _groups(data: Any) -> dict[str, npt.NDArray[Any]]:
    """Vertex groups from point sets, cell sets, named physical groups of Gmsh, and our own point data."""
    groups: dict[str, npt.NDArray[Any]] = {name: np.asarray(ids) for name, ids in data.point_sets.items()}
    named = {k: dict(enumerate(v)) for k, v in data.cell_sets.items() if not k.startswith("gmsh:")} | _physical(data)
    for name, members in named.items():
        if not name.startswith(EDGE_GROUP):
            groups[name] = _corners_of(data, members)
    room = max(MOST_MEMBERS, SHARES * len(data.points))
    for key, values in data.point_data.items():
        if key.startswith(GROUP):
            name = unquote(key.removeprefix(GROUP))
            groups[name] = np.flatnonzero(np.asarray(values).ravel()).astype(np.int32)
            room = _less(room, len(groups[name]))
    return groups


def _physical(data: Any) -> dict[str, Rows]:
    """Gmsh's named physical groups: for each, the rows of the blocks of cells that belong to it."""
    tags = data.cell_data.get("gmsh:physical", [])
    found: dict[str, Rows] = {name: {} for name, value in data.field_data.items() if np.size(value) == 2}
    names: dict[tuple[int, int], list[str]] = {}
    for name in found:
        tag, dim = data.field_data[name]
        names.setdefault((int(tag), int(dim)), []).append(name)
    room = max(MOST_MEMBERS, SHARES * sum(map(len, tags)))
    for k, (t, block) in enumerate(zip(tags, data.cells, strict=False)):
        order = np.argsort(t, kind="stable")
        numbers, first = np.unique(np.asarray(t)[order], return_index=True)
        for tag, rows in zip(numbers.tolist(), np.split(order, first[1:]), strict=True):
            for name in names.get((int(tag), block.dim), ()):
                found[name][k] = rows
                room = _less(room, len(rows))
    return found


def _less(room: int, count: int) -> int:
    """The room that is left for members of groups."""
    if count > room:
        raise MeshError(
            f"its groups have more than {MOST_MEMBERS:,} members, and more than {SHARES} for each vertex or cell; give it "
            "fewer groups"
        )
    return room - count


def _corners_of(data: Any, members: Rows) -> npt.NDArray[Any]:
    """Vertices of the listed cells of each block."""
    picked = [
        np.asarray(data.cells[k].data)[np.asarray(rows, dtype=np.int64)].ravel()
        for k, rows in members.items()
        if k < len(data.cells) and rows is not None and len(rows)
    ]
    return np.unique(np.concatenate(picked)) if picked else np.empty(0, dtype=np.int32)


def _edge_groups(data: Any) -> dict[str, npt.NDArray[Any]]:
    marks = {k: v for k, v in data.cell_data.items() if k.startswith(EDGE_GROUP)}
    groups: dict[str, npt.NDArray[Any]] = {}
    for key, values in marks.items():
        lines = [np.ravel(v) for v, block in zip(values, data.cells, strict=True) if block.type == "line"]
        groups[unquote(key.removeprefix(EDGE_GROUP))] = np.flatnonzero(np.concatenate([np.empty(0), *lines]))
    first = _first_rows(data, "line")
    for name, members in _physical(data).items():
        if name.startswith(EDGE_GROUP):
            rows = [first[k] + found for k, found in members.items() if k in first]
            groups[unquote(name.removeprefix(EDGE_GROUP))] = np.concatenate([np.empty(0, dtype=np.int64), *rows])
    return groups


def _first_rows(data: Any, kind: str) -> dict[int, int]:
    """Where each block of a kind begins among all cells of that kind."""
    found, count = {}, 0
    for k, block in enumerate(data.cells):
        if block.type == kind:
            found[k], count = count, count + len(block)
    return found


def _tags(data: Any) -> dict[str, npt.NDArray[Any]]:
    """Tags of tets: integer arrays among the cell data, and named physical volumes."""
    tags: dict[str, npt.NDArray[Any]] = {}
    for name, values in data.cell_data.items():
        blocks = [np.asarray(v) for v, block in zip(values, data.cells, strict=True) if block.type == "tetra"]
        numbers = np.concatenate([b.reshape(len(b), -1) for b in blocks]) if blocks else np.empty((0, 0))
        if name.startswith(EDGE_GROUP) or numbers.shape[1:] != (1,) or numbers.dtype.kind not in "iufb":
            continue
        whole = numbers[:, 0].astype(np.int64) if np.isfinite(numbers).all() else None
        if whole is not None and (whole == numbers[:, 0]).all() and np.abs(whole).max(initial=0) < 2**31:
            tags[name] = whole
    first, count = _first_rows(data, "tetra"), sum(len(block) for block in data.cells if block.type == "tetra")
    room = max(MOST_MEMBERS, VOLUMES * count)
    for name, members in _physical(data).items():
        rows = [first[k] + found for k, found in members.items() if k in first]
        if rows:
            tags[name] = _mask(np.concatenate(rows), count).astype(np.int32)
            room = _less(room, count)
    return tags


def _mask(members: npt.NDArray[Any], count: int) -> Array:
    mask = np.zeros(count)
    mask[members] = 1.0
    return mask
