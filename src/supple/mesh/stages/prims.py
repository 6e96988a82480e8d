"""The mesh of a prim: TetMesh, Mesh, BasisCurves, or a simple solid as triangles.

Subsets of points are vertex groups, subsets of tetrahedra are tags of that name, 1 inside and 0 elsewhere.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import numpy.typing as npt

from supple.errors import MeshError
from supple.mesh.faces.polygons import Labels, Polygons
from supple.mesh.faces.triangulate import triangulated
from supple.mesh.mesh import Mesh
from supple.mesh.stages.points import demand_own_rest, rest_points
from supple.mesh.stages.solids import solid_surface
from supple.mesh.stages.stage import Stage, listed, open_stage, placed, refusing, reversed_faces
from supple.mesh.stages.values import numbers, whole_numbers
from supple.types import Array, Ints

MESHES = ("TetMesh", "Mesh", "BasisCurves")


def read_stage_mesh(path: str | os.PathLike[str], name: str | None = None) -> Mesh:
    """The mesh of a prim at rest [m], unchecked; without a name, the only mesh."""
    stage = open_stage(path)
    with refusing(stage.path):
        return prim_mesh(stage, chosen_prim(stage, name))


def chosen_prim(stage: Stage, name: str | None) -> Any:
    """A prim by its path or name; without one, the only mesh."""
    return _only(stage) if name is None else stage.prim(name)


def prim_mesh(stage: Stage, prim: Any) -> Mesh:
    """The mesh of a prim at rest [m]."""
    where = f"{stage.path}: {prim.GetPath()}"
    kind = str(prim.GetTypeName())
    readers = {"TetMesh": _tets, "Mesh": _faces, "BasisCurves": _curves}
    if kind in readers:
        return readers[kind](stage, prim, where)
    found = solid_surface(prim, stage.start)
    if found is None:
        raise MeshError(
            f"{where}: is a prim of type '{kind}', not a mesh; supple reads {', '.join(MESHES)}, Sphere, Cube, Cylinder, "
            "Capsule, Cone and Plane"
        )
    return Mesh(placed(found[0], stage.frame(prim, stage.start)), triangles=found[1])


def _only(stage: Stage) -> Any:
    found = [prim for prim in stage.prims() if prim.GetTypeName() in MESHES]
    if len(found) == 1:
        return found[0]
    if not found:
        raise MeshError(f"{stage.path}: has no mesh ({', '.join(MESHES)}); export it with its geometry")
    raise MeshError(
        f'{stage.path}: has {len(found)} meshes; choose one, such as object = "{found[0].GetPath()}"; it has {listed(found)}'
    )


def _tets(stage: Stage, prim: Any, where: str) -> Mesh:
    from pxr import UsdGeom

    given = whole_numbers(UsdGeom.TetMesh(prim).GetTetVertexIndicesAttr())
    if not len(given):
        raise MeshError(f"{where}: tetVertexIndices is empty; a volume needs tetrahedra")
    if len(given) % 4:
        raise MeshError(f"{where}: tetVertexIndices has {len(given)} entries; a tetrahedron has four corners")
    tets = given.astype(np.int32).reshape(-1, 4)
    x = rest_points(stage, prim)
    _demand_corners(tets, len(x), f"{where}: tetVertexIndices")
    demand_own_rest(stage, prim, "restTetVertexIndices", tets)
    return Mesh(x, tets=tets, groups=_subsets(prim, "point", len(x), where), tags=_tags(prim, len(tets), where))


def _faces(stage: Stage, prim: Any, where: str) -> Mesh:
    from pxr import UsdGeom

    mesh = UsdGeom.Mesh(prim)
    arrays = (whole_numbers(a) for a in (mesh.GetFaceVertexCountsAttr(), mesh.GetFaceVertexIndicesAttr()))
    counts, corners = (a.astype(np.int32) for a in arrays)
    if not len(counts):
        raise MeshError(f"{where}: faceVertexCounts is empty; a surface needs faces")
    total = counts.sum(dtype=np.int64)
    if counts.min() < 3 or total != len(corners):
        raise MeshError(
            f"{where}: faceVertexCounts adds up to {total}, and its least entry is {counts.min()}; faceVertexIndices has "
            f"{len(corners)} entries: counts must be 3 or more, and add up to as many; export it again"
        )
    x = rest_points(stage, prim)
    _demand_corners(corners, len(x), f"{where}: faceVertexIndices")
    order = np.arange(len(corners))
    if mesh.GetOrientationAttr().Get() == UsdGeom.Tokens.leftHanded:
        order = reversed_faces(counts)
    corners = corners[order]
    places, _ = triangulated(x, counts, corners)
    demand_own_rest(stage, prim, "restTriVertexIndices", corners)
    uv, uv_corners = _texture(mesh, corners, order)
    polygons = None
    if (counts != 3).any() or len(uv):
        none, no_face = np.full(len(corners), -1, np.int32), Labels((), np.full(len(counts), -1, np.int32))
        polygons = Polygons(counts, corners, uv, uv_corners, none, no_face, no_face, no_face)
    groups = _subsets(prim, "point", len(x), where)
    return Mesh(x, triangles=corners[places], groups=groups, polygons=polygons)


def _texture(mesh: Any, corners: Ints, order: npt.NDArray[Any]) -> tuple[Array, Ints]:
    """Texture coordinates `st` (u, 2), and the row that each corner has."""
    from pxr import UsdGeom

    found = UsdGeom.PrimvarsAPI(mesh).GetPrimvar("st")
    none = np.empty((0, 2)), np.full(len(corners), -1, np.int32)
    uv = numbers(found.GetAttr(), width=2) if found and found.HasValue() else none[0]
    if not len(uv):
        return none
    rows = found.GetIndices()
    of = np.arange(len(uv)) if rows is None or not len(rows) else np.array(rows)
    per_corner = {"faceVarying": order, "vertex": corners, "varying": corners}.get(str(found.GetInterpolation()))
    if per_corner is None or per_corner.max() >= len(of) or of.min() < 0 or of.max() >= len(uv):
        return none
    return uv, of[per_corner].astype(np.int32)


def _curves(stage: Stage, prim: Any, where: str) -> Mesh:
    from pxr import UsdGeom

    curves = UsdGeom.BasisCurves(prim)
    kind = curves.GetTypeAttr().Get()
    if kind != UsdGeom.Tokens.linear:
        raise MeshError(f"{where}: its type is '{kind}'; a rope is a chain of straight segments: give type 'linear'")
    counts = whole_numbers(curves.GetCurveVertexCountsAttr())
    x = rest_points(stage, prim)
    if not len(counts) or counts.min() < 2 or counts.sum() != len(x):
        raise MeshError(
            f"{where}: curveVertexCounts is {counts.tolist()[:8]}, for {len(x)} points; counts must be 2 or more and add up to "
            "the number of points"
        )
    firsts = np.cumsum(counts) - counts
    edges = [np.arange(a, a + n - 1)[:, None] + [0, 1] for a, n in zip(firsts, counts, strict=True)]
    if curves.GetWrapAttr().Get() == UsdGeom.Tokens.periodic:
        edges.append(np.stack([firsts + counts - 1, firsts], axis=1))
    return Mesh(x, edges=np.concatenate(edges), groups=_subsets(prim, "point", len(x), where))


def _subsets(prim: Any, kind: str, count: int, where: str) -> dict[str, npt.NDArray[Any]]:
    """Members of the subsets of an element type, by name."""
    from pxr import Usd, UsdGeom

    found = {}
    for child in prim.GetFilteredChildren(Usd.TraverseInstanceProxies(Usd.PrimDefaultPredicate)):
        subset = UsdGeom.Subset(child)
        if not subset or subset.GetElementTypeAttr().Get() != kind:
            continue
        members = whole_numbers(subset.GetIndicesAttr())
        _demand_corners(members, count, f"{where}: subset '{child.GetName()}'")
        found[str(child.GetName())] = members
    return found


def _tags(prim: Any, count: int, where: str) -> dict[str, npt.NDArray[Any]]:
    """1 for the tets in a subset, 0 for the others."""
    tags = {}
    for name, members in _subsets(prim, "tetrahedron", count, where).items():
        tags[name] = np.zeros(count, np.int64)
        tags[name][members] = 1
    return tags


def _demand_corners(numbers: npt.NDArray[Any], count: int, where: str) -> None:
    bad = numbers[(numbers < 0) | (numbers >= count)]
    if len(bad):
        raise MeshError(
            f"{where}: has {len(bad)} wrong entries, the first is {bad[0]}; they count from 0 to {count - 1}"
        )
