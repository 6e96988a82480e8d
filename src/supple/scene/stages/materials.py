"""Bound materials of deformables as constitutive laws of supple.

Defaults of the proposal: 1 MPa, Poisson's ratio 0.3, 1 mm, 1000 kg/m^3.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from supple.errors import SceneError
from supple.mesh.stages.schema import applied, bare, value
from supple.mesh.stages.stage import Units
from supple.mesh.stages.values import single
from supple.scene.stages.deformables import Deformable
from supple.scene.stages.numbers import number, positive, short, times

YOUNG, POISSON, THICKNESS, DENSITY = 1e6, 0.3, 1e-3, 1000.0
"""[Pa], [-], [m], [kg/m^3]"""
LAW = "stable-neo-hookean"
"""Law of volumes: the schema has moduli but no law."""
STIFFEST = 0.49
"""Poisson's ratio that replaces 0.5, which would be incompressible."""
NEW, EARLIER = ("physics",), ("omniphysics",)
Table = dict[str, Any]


@dataclass(frozen=True, eq=False)
class Stuff:
    """The bound material of a prim."""

    prim: Any
    """None if no physics material is bound."""
    units: Units

    @property
    def young(self) -> float:
        """[Pa]"""
        return self._positive("youngsModulus", self.units.si(-1, 1)) or YOUNG

    def poisson(self, notes: list[str]) -> float:
        """[-]"""
        found = None if self.prim is None else number(self.prim, "poissonsRatio")
        if found is None:
            return POISSON
        if not -1.0 < found <= 0.5:
            raise SceneError(f"{self.prim.GetPath()}: poissonsRatio is {found:g}; it must be above -1 and at most 0.5")
        if found > STIFFEST:
            notes.append(
                f"{self.prim.GetPath()}: poissonsRatio {found:g} is replaced by {STIFFEST}; at 0.5 the bulk modulus is infinite"
            )
        return min(found, STIFFEST)

    @property
    def density(self) -> float | None:
        """[kg/m^3]"""
        return self._positive("density", self.units.si(-3, 1))

    @property
    def friction(self) -> float | None:
        """[-]"""
        return None if self.prim is None else number(self.prim, "dynamicFriction")

    @property
    def thickness(self) -> float | None:
        """Thickness, in versions that store it with the material [m]."""
        factor = self.units.si(1)
        return self._positive("thickness", factor) or self._positive("surfaceThickness", factor)

    @property
    def damping_time(self) -> float | None:
        """Stiffness damping of PhysX [s]."""
        found = None if self.prim is None else self.prim.GetAttribute("physxDeformableMaterial:elasticityDamping")
        return (short(single(found)) or None) if found and found.HasAuthoredValue() else None

    def stiffness(self, word: str, whole: float, modulus: float) -> float | None:
        """A stiffness of a sheet or rod in SI units. `whole` is the factor on a structural stiffness, as in the proposal;
        `modulus` is the factor on a material modulus, as in earlier versions."""
        if self.prim is None:
            return None
        found = number(self.prim, word, whole, NEW)
        if found is None:
            found = number(self.prim, word, modulus, EARLIER)
        if found is None and word.startswith(("surface", "curves")):
            plain = word.removeprefix("surface").removeprefix("curves")
            found = number(self.prim, plain[0].lower() + plain[1:], modulus)
        if found is not None and (found < 0.0 or math.isinf(found)):
            raise SceneError(f"{self.prim.GetPath()}: {word} is {found:g}; give a finite number, 0 or more")
        return found

    def _positive(self, name: str, factor: float) -> float | None:
        return None if self.prim is None else positive(self.prim, name, factor)


def bound(prim: Any, units: Units) -> Stuff:
    """The material bound for physics, or for all purposes if it has physics attributes."""
    from pxr import UsdShade

    found = UsdShade.MaterialBindingAPI(prim).ComputeBoundMaterial("physics")[0]
    made = found.GetPrim() if found else None
    return Stuff(made if made and any(bare(name).endswith("MaterialAPI") for name in applied(made)) else None, units)


def volume_material(of: Deformable, stuff: Stuff, notes: list[str]) -> Table:
    """Keys of the body of a volume."""
    own: Table = {"name": LAW, "young": stuff.young, "poisson": stuff.poisson(notes)}
    keys: Table = {"material": own}
    regions = []
    for name in of.mesh.tags:
        other = bound(of.prim.GetChild(name), stuff.units)
        if other.prim is None or (stuff.prim is not None and other.prim == stuff.prim):
            continue
        made = {"young": other.young, "poisson": other.poisson(notes), "density": other.density or DENSITY}
        regions.append({"tag": name, "material": made})
    return keys | ({"regions": regions} if regions else {})


def surface_material(of: Deformable, stuff: Stuff, notes: list[str]) -> Table:
    """Keys of the body of a sheet: membrane, thickness and bending.

    Stretch k = E h/(1 - nu^2) and shear g = E h/(2 (1 + nu)) of an isotropic sheet give nu = 1 - 2 g/k; other ratios belong
    to a woven sheet, which shears more or less easily.
    """
    h, E, nu = _thickness(of, stuff, notes), stuff.young, stuff.poisson(notes)
    newton = stuff.units.si(0, 1)
    pascal = stuff.units.si(-1, 1)
    stretch = stuff.stiffness("surfaceStretchStiffness", newton, pascal * h)
    shear = stuff.stiffness("surfaceShearStiffness", newton, pascal * h)
    bend = stuff.stiffness("surfaceBendStiffness", stuff.units.si(2, 1), pascal * h**3)
    if stretch == 0.0 or shear == 0.0:
        raise SceneError(f"{stuff.prim.GetPath()}: a sheet requires stretch and shear stiffnesses above 0")
    k, g = stretch or E * h / (1.0 - nu**2), shear or E * h / (2.0 * (1.0 + nu))
    if stretch is not None or shear is not None:
        nu = 1.0 - 2.0 * g / k if shear is not None else nu
    keys: Table = {"thickness": h}
    if -1.0 < nu < 0.5:
        E = times(k * (1.0 - nu**2), 1.0 / h) if stretch is not None or shear is not None else E
        keys["material"] = {"name": "stvk-membrane", "young": E, "poisson": times(nu, 1.0 + 0.0)}
    else:
        nu = stuff.poisson(notes)
        young = times(k * (1.0 - nu**2), 1.0 / h)
        keys["material"] = {
            "name": "orthotropic-membrane", "young_warp": young, "young_weft": young, "shear": times(g, 1.0 / h), "poisson": nu,
        }  # fmt: skip
    rigidity = bend if bend is not None else float(f"{E * h**3 / (12.0 * (1.0 - nu**2)):.9g}")
    if rigidity:
        word = str(value(of.prim, "restBendAnglesDefault") or "flat")
        curved = word.startswith("restShape")
        keys["bending"] = {"model": "dihedral" if curved else "quadratic", "rigidity": rigidity}
    return keys


def curves_material(of: Deformable, stuff: Stuff, notes: list[str]) -> Table:
    """Keys of the body of a rope: axial stiffness E A and bending stiffness E I of a round section."""
    h, E = _thickness(of, stuff, notes), stuff.young
    area, moment = math.pi * h**2 / 4.0, math.pi * h**4 / 64.0
    pascal = stuff.units.si(-1, 1)
    axial = stuff.stiffness("curvesStretchStiffness", stuff.units.si(1, 1), pascal * area)
    rigidity = stuff.stiffness("curvesBendStiffness", stuff.units.si(3, 1), pascal * moment)
    if axial == 0.0:
        raise SceneError(f"{stuff.prim.GetPath()}: a rope requires a stretch stiffness above 0")
    if axial is None and rigidity is None:
        return {"thickness": h, "material": {"name": "rod", "young": E, "radius": times(h, 0.5)}}
    made = {
        "name": "rod",
        "axial": axial if axial is not None else float(f"{E * area:.9g}"),
        "rigidity": rigidity if rigidity is not None else float(f"{E * moment:.9g}"),
    }
    return {"thickness": h, "material": made}


MATERIALS = {"volume": volume_material, "surface": surface_material, "curves": curves_material}


def _thickness(of: Deformable, stuff: Stuff, notes: list[str]) -> float:
    """Thickness of a sheet, or diameter of a rope [m]."""
    given = value(of.prim, "thicknesses")
    if given is None or not len(given):
        return stuff.thickness or THICKNESS
    least, most = min(given), max(given)
    if not 0.0 < least <= most < math.inf:
        raise SceneError(
            f"{of.path}: thicknesses has values from {least:g} to {most:g}; they must be above 0 and finite"
        )
    if most > least * (1.0 + 1e-6):
        notes.append(f"{of.path}: thicknesses vary from {least:g} to {most:g}; a body has one, the mean is used")
    return times(short(sum(given) / len(given)), stuff.units.si(1))
