"""Materials of bodies as physics materials; unsupported parameters stay in a table."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from supple.export.physics.physics import Page, apply, put
from supple.model.body import Body
from supple.model.materials.rod import Rod
from supple.model.placed import Placed
from supple.model.plain import plain

Table = dict[str, Any]
SAID = ("name", "mesh", "initial", "pin", "motion", "groups", "thickness", "friction", "mass")
"""Keys of a body that the stage always supports."""


def write_material(page: Page, prim: Any, part: Placed, given: Body) -> Table:
    """Bind a material to the geometry of a body, and write its mass and thickness; returns the unsupported keys.

    given: the body as in the world, with presets expanded.
    """
    from pxr import UsdShade

    body = part.body
    rest = {key: value for key, value in plain(given).items() if key not in SAID}
    path = page.path("materials", part.name)
    material = UsdShade.Material.Define(page.stage, path).GetPrim()
    kind = {"TetMesh": "Volume", "Mesh": "Surface", "BasisCurves": "Curves"}[str(prim.GetTypeName())]
    apply(material, "MaterialAPI", f"{kind}DeformableMaterialAPI")
    UsdShade.MaterialBindingAPI.Apply(prim).Bind(UsdShade.Material(material), materialPurpose="physics")
    if body.friction is not None:
        put(material, "physics:dynamicFriction", "Float", float(body.friction))
    if part.thickness is not None and kind != "Volume":
        put(prim, "physics:thicknesses", "FloatArray", [part.thickness * page.scale])
        put(prim, "physics:thicknesses:elementType", "Token", "constant")
    _mass(page, prim, material, part, rest)
    {"Volume": _volume, "Surface": _surface, "Curves": _curves}[kind](page, prim, material, part, rest)
    return rest


def _mass(page: Page, prim: Any, material: Any, part: Placed, rest: Table) -> None:
    body = part.body
    solid = part.mesh.is_solid or part.thickness is not None
    if body.mass is None and body.density is not None and solid and not body.regions:
        put(material, "physics:density", "Float", float(body.density) / page.scale**3)
        if not isinstance(rest.get("material"), str):  # the density of a preset is part of it
            rest.pop("density", None)
        return
    put(prim, "physics:mass", "Float", float(part.mass.sum()))


def _volume(page: Page, prim: Any, material: Any, part: Placed, rest: Table) -> None:
    moduli = getattr(part.law, "moduli", None)
    if moduli is None or not all(isinstance(m, int | float) for m in moduli):
        return
    young, poisson = (float(m) for m in moduli)
    put(material, "physics:youngsModulus", "Float", young / page.scale)
    put(material, "physics:poissonsRatio", "Float", poisson)
    if rest.get("material") == {"name": "stable-neo-hookean", "young": young, "poisson": poisson}:
        del rest["material"]


def _surface(page: Page, prim: Any, material: Any, part: Placed, rest: Table) -> None:
    law, bending = part.law, part.body.bending
    young, poisson = getattr(law, "young", None), getattr(law, "poisson", 0.3)
    if isinstance(young, int | float):
        put(material, "physics:youngsModulus", "Float", float(young) / page.scale)
        put(material, "physics:poissonsRatio", "Float", float(poisson))
        table = rest.get("material")
        if isinstance(table, dict) and table["name"] == "stvk-membrane" and part.thickness is not None:
            del rest["material"]
    rigidity = 0.0 if bending is None else bending.rigidity or part.flexural_rigidity()
    if isinstance(rigidity, int | float) and (bending is None or bending.energy is None):
        put(material, "physics:surfaceBendStiffness", "Float", float(rigidity) * page.scale**2)
        curved = bending is not None and bending.model == "dihedral"
        put(prim, "physics:restBendAnglesDefault", "Token", "restShape" if curved else "flat")
        if not isinstance(rest.get("material"), str):
            rest.pop("bending", None)


def _curves(page: Page, prim: Any, material: Any, part: Placed, rest: Table) -> None:
    law = part.law
    if not isinstance(law, Rod):
        return
    put(material, "physics:curvesStretchStiffness", "Float", float(law.resistance) * page.scale)
    put(material, "physics:curvesBendStiffness", "Float", float(law.bending) * page.scale**3)
    section = None if part.thickness is None else math.pi * part.thickness**2 / 4.0
    if section is not None:
        put(material, "physics:youngsModulus", "Float", float(law.resistance) / section / page.scale)
    if law.springs == "stvk" and part.thickness is not None:
        rest.pop("material", None)


def bind_friction(page: Page, prim: Any, name: str, friction: float) -> None:
    """A material with only a friction coefficient."""
    from pxr import UsdShade

    if not np.isfinite(friction) or not friction:
        return
    material = UsdShade.Material.Define(page.stage, page.path("materials", name))
    apply(material.GetPrim(), "MaterialAPI")
    put(material.GetPrim(), "physics:dynamicFriction", "Float", float(friction))
    UsdShade.MaterialBindingAPI.Apply(prim).Bind(material, materialPurpose="physics")
