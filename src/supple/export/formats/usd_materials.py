"""Materials of USD files: used by renderers, while display colours are for viewports only."""

from __future__ import annotations

from typing import Any

from supple.export.colours import own_colour
from supple.export.sequence import Body

ROUGHNESS = 0.6


def bind_material(stage: Any, root: str, prim: Any, body: Body, changing: bool) -> None:
    """A preview surface in the body's colour, or in the display colours of the prim if they change."""
    from pxr import Sdf, UsdGeom, UsdShade

    scope = f"{root}/{_free(stage, root)}"
    if not stage.GetPrimAtPath(scope):
        UsdGeom.Scope.Define(stage, scope)
    path = f"{scope}/{prim.GetName()}"
    while stage.GetPrimAtPath(path):  # a material of a model may be called like a body
        path += "_"
    material = UsdShade.Material.Define(stage, path)
    shader = UsdShade.Shader.Define(stage, f"{material.GetPath()}/surface")
    shader.CreateIdAttr("UsdPreviewSurface")
    shader.CreateInput("roughness", Sdf.ValueTypeNames.Float).Set(ROUGHNESS)
    shader.CreateInput("metallic", Sdf.ValueTypeNames.Float).Set(0.0)
    diffuse = shader.CreateInput("diffuseColor", Sdf.ValueTypeNames.Color3f)
    if changing:
        reader = UsdShade.Shader.Define(stage, f"{material.GetPath()}/colours")
        reader.CreateIdAttr("UsdPrimvarReader_float3")
        reader.CreateInput("varname", Sdf.ValueTypeNames.String).Set("displayColor")
        diffuse.ConnectToSource(reader.CreateOutput("result", Sdf.ValueTypeNames.Float3))
    else:
        diffuse.Set(tuple(own_colour(body).tolist()))
    material.CreateSurfaceOutput().ConnectToSource(shader.CreateOutput("surface", Sdf.ValueTypeNames.Token))
    UsdShade.MaterialBindingAPI.Apply(prim).Bind(material)


def _free(stage: Any, root: str) -> str:
    """An unused name for the scope of materials."""
    name = "materials"
    while (found := stage.GetPrimAtPath(f"{root}/{name}")) and found.GetTypeName() != "Scope":
        name += "_"
    return name
