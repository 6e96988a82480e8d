"""The simulation geometry of a body as a prim: tetrahedra, triangles or curves."""

from __future__ import annotations

from typing import Any

import numpy as np

from supple.export.lines import polylines
from supple.export.physics.physics import GUIDE, Page, apply, vectors, whole
from supple.mesh.mesh import Mesh
from supple.mesh.topology import surface
from supple.model.placed import Placed
from supple.types import Ints

KINDS = {"TetMesh": "Volume", "Mesh": "Surface", "BasisCurves": "Curves"}


def refusal(part: Placed) -> str:
    """Why a body cannot be written to a stage; empty if it can."""
    if part.filled is not None:
        return "material points"
    if part.coarse is not None:
        return "a body made by `supple coarsen`"
    if "spring" in getattr(part.law, "name", ""):
        return "springs along edges"
    if not part.mesh.is_solid and not len(part.mesh.triangles) and order_of(part.mesh) is None:
        return "edges that do not form single lines"
    return ""


def order_of(mesh: Mesh) -> Ints | None:
    """Vertices in the order of the polylines formed by edges, each once; None if impossible."""
    lines = [line[:-1] if len(line) > 2 and line[0] == line[-1] else line for line in polylines(_links(mesh))]
    order = np.concatenate(lines)
    closed = [len(line) > 2 and line[0] == line[-1] for line in polylines(_links(mesh))]
    alike = all(closed) or not any(closed)
    return order if alike and len(order) == mesh.n == len(np.unique(order)) else None


def _links(mesh: Mesh) -> Ints:
    """Edges along a rope, without bending edges."""
    return mesh.edges[mesh.edge_groups["stretch"]] if "stretch" in mesh.edge_groups else mesh.edges


def define_geometry(page: Page, path: str, part: Placed) -> tuple[Any, Ints]:
    """The prim with its points, and the index of each vertex of the body there (n,)."""
    from pxr import UsdGeom

    mesh, number = part.mesh, np.arange(part.mesh.n, dtype=np.int32)
    if mesh.is_solid:
        schema = UsdGeom.TetMesh.Define(page.stage, path)
        schema.CreateTetVertexIndicesAttr([tuple(row) for row in mesh.tets.tolist()])
        schema.CreateSurfaceFaceVertexIndicesAttr([tuple(row) for row in surface(mesh).tolist()])
    elif len(mesh.triangles):
        schema = UsdGeom.Mesh.Define(page.stage, path)
        schema.CreateFaceVertexCountsAttr(whole(np.full(len(mesh.triangles), 3)))
        schema.CreateFaceVertexIndicesAttr(whole(mesh.triangles))
        schema.CreateSubdivisionSchemeAttr(UsdGeom.Tokens.none)
    else:
        schema, number = _curves(page, path, mesh)
    order = np.argsort(number)
    X, x, v = (page.points(rows[order]) for rows in (mesh.vertices, part.x, part.v))
    schema.CreatePointsAttr(vectors(x))
    schema.CreateExtentAttr(vectors(np.stack([x.min(axis=0), x.max(axis=0)])))
    if v.any():
        schema.CreateVelocitiesAttr(vectors(v))
    schema.CreatePurposeAttr(GUIDE)
    prim = schema.GetPrim()
    apply(prim, "DeformableBodyAPI", f"{KINDS[str(prim.GetTypeName())]}DeformableSimAPI", "CollisionAPI")
    if not np.array_equal(X.astype(np.float32), x.astype(np.float32)):
        from pxr import Sdf

        prim.CreateAttribute("physics:restShapePoints", Sdf.ValueTypeNames.Point3fArray, custom=False).Set(vectors(X))
    _groups(page, prim, mesh, number, part.name)
    return prim, number


def _curves(page: Page, path: str, mesh: Mesh) -> tuple[Any, Ints]:
    from pxr import UsdGeom

    lines = polylines(_links(mesh))
    closed = len(lines[0]) > 2 and lines[0][0] == lines[0][-1]
    counts = [len(line) - closed for line in lines]
    schema = UsdGeom.BasisCurves.Define(page.stage, path)
    schema.CreateTypeAttr(UsdGeom.Tokens.linear)
    schema.CreateCurveVertexCountsAttr(whole(np.array(counts)))
    if closed:
        schema.CreateWrapAttr(UsdGeom.Tokens.periodic)
    order = order_of(mesh)
    assert order is not None
    number = np.empty(mesh.n, np.int32)
    number[order] = np.arange(mesh.n)
    return schema, number


def _groups(page: Page, prim: Any, mesh: Mesh, number: Ints, body: str) -> None:
    """Vertex groups as subsets of points."""
    from pxr import Tf, UsdGeom

    for name, members in mesh.groups.items():
        if not len(members):
            continue
        word = Tf.MakeValidIdentifier(name)
        if word != name:
            page.notes.append(f"{body}: its group '{name}' is called '{word}' in the stage")
        subset = UsdGeom.Subset.Define(page.stage, prim.GetPath().AppendChild(word))
        subset.CreateElementTypeAttr("point")
        subset.CreateIndicesAttr(whole(np.sort(number[members])))
