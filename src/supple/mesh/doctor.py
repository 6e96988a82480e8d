"""The mesh doctor: faults that make a mesh unfit for simulation, and the one fault that is repaired automatically.

A tet whose corners are listed in the wrong order has a negative volume; swapping two corners cures it. Everything else
needs a decision by the user, so one error lists all problems at once.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

import numpy as np
import numpy.typing as npt

from supple.errors import MeshError
from supple.mesh.measure import sizes, squared_edges
from supple.mesh.mesh import Mesh
from supple.mesh.topology import distinct, half_edges
from supple.types import Array, Ints

FLAT = 1e-12
"""An element is flat when its size is below this fraction of its longest edge raised to the matching power."""
FARTHEST = 1e30
"""Largest coordinate [m] whose powers in volumes, masses and stiffnesses still fit double precision."""
SHOWN = 5
"""Number of faulty items that a message names."""

REPAIR = "`supple mesh FILE --repair --write NEW` does"
NOUNS = {2: "edge", 3: "triangle", 4: "tet"}


class Fault(Enum):
    """Possible faults, in the words shown to the user, with the remedy."""

    EMPTY = ("without any element", "give the mesh tets, triangles or edges")
    NOT_FINITE = ("with a NaN or infinite coordinate", "export the mesh again, or correct these lines of the file")
    TOO_FAR = ("with a coordinate beyond 1e30 m", "volumes of such a mesh are beyond double precision; scale it down")
    OUT_OF_RANGE = ("with a corner that is no vertex", "corners count from 0 to the number of vertices less one")
    BAD_GROUP = (
        "with a member that does not exist",
        "members count from 0 to the number of vertices (edges) less one",
    )
    FLAT = ("without volume, area or length", f"remove them ({REPAIR}), or mesh the shape again with a better quality")
    TWIN = ("with the same corners as an earlier one", f"remove the copies ({REPAIR})")
    LOOSE = (
        "that no element uses",
        "remove them: drop_unreferenced(mesh), or `supple mesh FILE --drop-unreferenced --write NEW`",
    )
    HOLE = (
        "at the rim of a hole (one triangle only)",
        f"close the holes, or merge vertices that should be one ({REPAIR})",
    )
    JUNCTION = ("where more than two triangles meet", "remove inner walls, so each edge joins two triangles")
    TURNED = (
        "between two triangles that face opposite ways",
        f"turn triangles over, so all face outwards ({REPAIR})",
    )

    @property
    def found(self) -> str:
        return str(self.value[0])

    @property
    def remedy(self) -> str:
        return str(self.value[1])


@dataclass(frozen=True)
class Problem:
    """One fault, its count and its first occurrences."""

    fault: Fault
    noun: str
    count: int
    first: tuple[str, ...]

    def __str__(self) -> str:
        plural = {"vertex": "vertices", "mesh": "meshes"}.get(self.noun, f"{self.noun}s")
        noun = self.noun if self.count == 1 else plural
        shown = f" (first: {', '.join(self.first)})" if self.first else ""
        return f"{self.count} {noun} {self.fault.found}{shown}; {self.fault.remedy}"


@dataclass(frozen=True)
class Diagnosis:
    """All problems of a mesh, and the tets that only require two corners to be swapped."""

    problems: tuple[Problem, ...]
    flipped: Ints

    def demand_sound(self, where: str = "mesh") -> None:
        """Raise a `MeshError` that lists every problem, if there are any."""
        if self.problems:
            raise MeshError("\n".join(f"{where}: {p}" for p in self.problems))


def diagnose(mesh: Mesh) -> Diagnosis:
    """Check everything; elements with invalid corners are skipped where their geometry is needed."""
    problems: list[Problem] = []
    has_elements = any(map(len, (mesh.tets, mesh.triangles, mesh.edges)))
    if not has_elements:
        problems.append(Problem(Fault.EMPTY, "mesh", 1, ()))
    is_finite = np.all(np.isfinite(mesh.vertices), axis=1)
    problems += _listed(Fault.NOT_FINITE, "vertex", np.flatnonzero(~is_finite))
    with np.errstate(invalid="ignore"):
        is_far = is_finite & (np.abs(mesh.vertices) > FARTHEST).any(axis=1)
    problems += _listed(Fault.TOO_FAR, "vertex", np.flatnonzero(is_far))
    is_finite &= ~is_far
    is_used = np.zeros(mesh.n, dtype=bool)
    for cells in (mesh.tets, mesh.triangles, mesh.edges):
        in_range = ((cells >= 0) & (cells < mesh.n)).all(axis=1)
        is_used[cells[(cells >= 0) & (cells < mesh.n)]] = True
        problems += _listed(Fault.OUT_OF_RANGE, NOUNS[cells.shape[1]], np.flatnonzero(~in_range))
        rows = np.flatnonzero(in_range)
        rows = rows[is_finite[cells[rows]].all(axis=1)]
        problems += _shape_problems(mesh, cells, rows)
    if has_elements:
        problems += _listed(Fault.LOOSE, "vertex", np.flatnonzero(~is_used))
    problems += _group_problems(mesh)
    return Diagnosis(tuple(problems), _flipped(mesh) if not problems else np.empty(0, dtype=np.int32))


def heal(mesh: Mesh, where: str = "mesh") -> tuple[Mesh, list[str]]:
    """A valid mesh and notes on the repairs; a `MeshError` with all problems if it cannot be repaired."""
    diagnosis = diagnose(mesh)
    diagnosis.demand_sound(where)
    flipped = diagnosis.flipped
    if len(flipped) == 0:
        return mesh, []
    tets = mesh.tets.copy()
    tets[flipped] = tets[flipped][:, [0, 1, 3, 2]]
    count = f"{len(flipped)} of {len(tets)} tets" if len(flipped) < len(tets) else f"all {len(tets)} tets"
    note = f"{where}: {count} had negative volume (first: {_first(flipped)}); two corners of each were swapped"
    return replace(mesh, tets=tets), [note]


def drop_unreferenced(mesh: Mesh) -> Mesh:
    """The mesh without vertices that no element uses; indices and groups follow."""
    all_corners = np.concatenate([c.ravel() for c in (mesh.edges, mesh.triangles, mesh.tets)])
    if len(all_corners) and (all_corners.min() < 0 or all_corners.max() >= mesh.n):
        diagnose(mesh).demand_sound()
    is_used = np.zeros(mesh.n, dtype=bool)
    is_used[all_corners] = True
    number = np.where(is_used, np.cumsum(is_used) - 1, -1).astype(np.int32)
    return mesh.renumbered(mesh.vertices[is_used], number)


def closed_surface_problems(triangles: Ints) -> list[Problem]:
    """Reasons why a surface does not enclose a volume: holes, junctions, inconsistent orientation."""
    edges = half_edges(triangles)
    first, inverse, count = distinct(np.sort(edges, axis=1))
    forward = np.bincount(inverse, weights=edges[:, 0] < edges[:, 1], minlength=len(count))
    faults = ((Fault.HOLE, count == 1), (Fault.JUNCTION, count > 2), (Fault.TURNED, (count == 2) & (forward != 1)))
    problems = []
    for fault, mask in faults:
        pairs = np.sort(edges[first[mask]], axis=1)
        if len(pairs):
            problems.append(Problem(fault, "edge", len(pairs), tuple(f"{a}-{b}" for a, b in pairs[:SHOWN])))
    return problems


def filling_problems(mesh: Mesh) -> list[str]:
    """Reasons why a mesh cannot be filled with tets, as sentences; shared by reports, commands and scenes."""
    if mesh.is_solid or not len(mesh.triangles):
        return [
            f"surface: found {len(mesh.tets)} tets and {len(mesh.triangles)} triangles; "
            "give a closed surface of triangles without tets"
        ]
    return [f"surface is not closed: {problem}" for problem in closed_surface_problems(mesh.triangles)]


def _shape_problems(mesh: Mesh, cells: Ints, rows: npt.NDArray[Any]) -> list[Problem]:
    """Flat elements and duplicates among the rows with valid corners."""
    k = cells.shape[1]
    is_flat, is_copy = flat_and_copies(mesh.vertices, cells[rows])
    return _listed(Fault.FLAT, NOUNS[k], rows[is_flat]) + _listed(Fault.TWIN, NOUNS[k], rows[is_copy])


def flat_and_copies(x: Array, cells: Ints) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Masks of elements without size, and of elements with the corners of an earlier one."""
    longest = np.sqrt(squared_edges(x, cells).max(axis=1, initial=0.0))
    # An edge has no other length to compare with: the longest of all edges sets the scale of zero.
    scale = longest ** (cells.shape[1] - 1) if cells.shape[1] > 2 else longest.max(initial=0.0)
    is_copy = np.ones(len(cells), dtype=bool)
    is_copy[distinct(np.sort(cells, axis=1))[0]] = False
    return np.abs(sizes(x, cells)) <= FLAT * scale, is_copy


def _flipped(mesh: Mesh) -> Ints:
    return np.flatnonzero(sizes(mesh.vertices, mesh.tets) < 0).astype(np.int32)


def _group_problems(mesh: Mesh) -> list[Problem]:
    problems = []
    for noun, groups, limit in (("group", mesh.groups, mesh.n), ("edge group", mesh.edge_groups, len(mesh.edges))):
        bad = [name for name, members in groups.items() if len(members) and (members[0] < 0 or members[-1] >= limit)]
        if bad:
            problems.append(Problem(Fault.BAD_GROUP, noun, len(bad), tuple(bad[:SHOWN])))
    return problems


def _listed(fault: Fault, noun: str, where: npt.NDArray[Any]) -> list[Problem]:
    return [Problem(fault, noun, len(where), tuple(map(str, where[:SHOWN])))] if len(where) else []


def _first(indices: npt.NDArray[Any]) -> str:
    return ", ".join(map(str, indices[:SHOWN]))
