"""Texture coordinates and materials of a model on a USD mesh."""

from __future__ import annotations

from typing import Any

import numpy as np

from supple.export.corners import padded_uv
from supple.mesh.faces.polygons import Finish, Polygons

SHELF = "materials"
"""Prim that holds the materials, beside the bodies."""


def dress_mesh(stage: Any, mesh: Any, polygons: Polygons) -> None:
    """Give a mesh the texture coordinates `st` for each corner, and bind its faces to their materials."""
    if polygons.has_uv:
        _texture_coordinates(mesh, polygons)
    labels = polygons.materials
    used = labels.used()
    for k in (k for k in used if k >= 0):
        name = labels.names[k]
        faces = None if len(used) == 1 else np.flatnonzero(labels.of == k).astype(np.int32)
        _bind(stage, mesh, name, polygons.finishes.get(name), faces)


def _texture_coordinates(mesh: Any, polygons: Polygons) -> None:
    from pxr import Sdf, UsdGeom, Vt

    values, rows = padded_uv(polygons)
    primvars = UsdGeom.PrimvarsAPI(mesh)
    st = primvars.CreatePrimvar("st", Sdf.ValueTypeNames.TexCoord2fArray, UsdGeom.Tokens.faceVarying)
    st.Set(Vt.Vec2fArray.FromNumpy(np.ascontiguousarray(values, dtype=np.float32)))
    st.SetIndices(Vt.IntArray.FromNumpy(rows.astype(np.int32)))


def _bind(stage: Any, mesh: Any, name: str, finish: Finish | None, faces: Any) -> None:
    """Bind some faces, or all of them if None."""
    from pxr import Tf, UsdShade, Vt

    material = _material(stage, mesh.GetPath().GetParentPath(), name, finish)
    api = UsdShade.MaterialBindingAPI.Apply(mesh.GetPrim())
    if faces is None:
        api.Bind(material)
        return
    subset = api.CreateMaterialBindSubset(Tf.MakeValidIdentifier(name), Vt.IntArray.FromNumpy(faces))
    UsdShade.MaterialBindingAPI.Apply(subset.GetPrim()).Bind(material)


def _material(stage: Any, above: Any, name: str, finish: Finish | None) -> Any:
    """The material of that name; bodies share it."""
    from pxr import Gf, Sdf, Tf, UsdGeom, UsdShade

    shelf = above.AppendChild(SHELF)
    if not stage.GetPrimAtPath(shelf):
        UsdGeom.Scope.Define(stage, shelf)
    path = shelf.AppendChild(Tf.MakeValidIdentifier(name))
    if stage.GetPrimAtPath(path):
        return UsdShade.Material(stage.GetPrimAtPath(path))
    material = UsdShade.Material.Define(stage, path)
    material.GetPrim().SetDisplayName(name)
    shader = UsdShade.Shader.Define(stage, path.AppendChild("surface"))
    shader.CreateIdAttr("UsdPreviewSurface")
    shader.CreateInput("roughness", Sdf.ValueTypeNames.Float).Set(0.6)
    if finish is not None and finish.colour is not None:
        colour = Gf.Vec3f(*finish.colour)  # of a library, taken as linear light, as Blender does
        shader.CreateInput("diffuseColor", Sdf.ValueTypeNames.Color3f).Set(colour)
    material.CreateSurfaceOutput().ConnectToSource(shader.ConnectableAPI(), "surface")
    return material
