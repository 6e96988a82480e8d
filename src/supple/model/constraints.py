"""Constraints of a scene as equations of its system."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from supple.constraints.holonomic import Holonomic
from supple.constraints.links import FixedLengths
from supple.constraints.surfaces import OnPlane, OnSphere, OnSurface, on_curve
from supple.errors import SceneError, SuppleError
from supple.formulas.jet import Implicit
from supple.mesh.mesh import Mesh
from supple.mesh.topology import unique_edges
from supple.model.attachments import nearest_vertices, place
from supple.model.setting import Part
from supple.scene.tables.constraint import ConstraintTable, Curve, Plane, Rods, Sphere
from supple.types import Array, Ints


def constraints(tables: Sequence[ConstraintTable], parts: Sequence[Part], x: Array) -> list[Holonomic]:
    """The equations of all tables at the initial positions x (n, 3); all problems are reported at once."""
    found: list[Holonomic] = []
    problems: list[str] = []
    for k, table in enumerate(tables):
        path = f"constraint[{k}]"
        try:
            found += _equations(table, parts, x, path)
        except SceneError as error:
            problems += error.problems
        except SuppleError as error:
            problems.append(str(error))
    if problems:
        raise SceneError(problems)
    return found


def _equations(table: ConstraintTable, parts: Sequence[Part], x: Array, path: str) -> Sequence[Holonomic]:
    vertices, part = place(table.vertices, parts, f"{path}.vertices")
    if isinstance(table, Rods):
        if table.to is None:
            return [FixedLengths(x, _edges(part, vertices, path), name=path)]
        other, _ = place(table.to, parts, f"{path}.to")
        return [
            FixedLengths(x, np.stack([vertices, other[nearest_vertices(x[vertices], x[other])]], axis=1), name=path)
        ]
    if isinstance(table, Plane):
        return [OnPlane(vertices, x[vertices] if table.point is None else table.point, table.normal, path)]
    if isinstance(table, Sphere):
        return [OnSphere(vertices, table.centre, table.radius, path)]
    if isinstance(table, Curve):
        first, second = map(Implicit, table.equations)
        return on_curve(vertices, first, second, path)
    return [OnSurface(vertices, Implicit(table.equation), path)]


def _edges(part: Part, vertices: Ints, path: str) -> Ints:
    """Edges of the body between these vertices: those that the mesh names, or else the sides of its triangles and tets."""
    edges = _all_edges(part.mesh) + np.int32(part.first)
    inside = edges[np.isin(edges, vertices).all(axis=1)]
    if not len(inside):
        raise SceneError(
            f"{path}: there are no edges between these vertices of '{part.table.name}'; say `to` where rods end"
        )
    return inside


def _all_edges(mesh: Mesh) -> Ints:
    if "stretch" in mesh.edge_groups:  # not the springs across cells, nor those against bending
        return mesh.edges[mesh.edge_groups["stretch"]]
    if len(mesh.edges):
        return mesh.edges
    return unique_edges(mesh.tets if mesh.is_solid else mesh.triangles)
