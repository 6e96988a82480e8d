"""From the regions of a body to values on its tets: region index, removal of holes, moduli and density."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from supple.energies.corotational.mandel import WEIGHT, isotropic
from supple.errors import MeshError, SceneError, SuppleError
from supple.materials.formula_material import FormulaMaterial
from supple.materials.material import Material
from supple.materials.rest.at_rest import stiffness_at_rest
from supple.mesh.carving import kept_tets, without_crumbs
from supple.mesh.mesh import Mesh
from supple.mesh.regions import OUTSIDE, centres
from supple.model.body import Body
from supple.model.materials.structure import BodyMaterial
from supple.model.presets.preset import Preset
from supple.model.regions.made import RegionMaterial
from supple.types import Array, Ints

REGION = "region"
"""Tag of the tets of a body with regions: 0 outside, then the materials of all regions in the order of the file."""


@dataclass(frozen=True)
class Moduli:
    """Moduli per tet, or per particle in them."""

    young: Array
    """(m,) [Pa]"""
    poisson: Array
    """(m,) [-]"""


def with_regions(body: Body, mesh: Mesh, path: str) -> tuple[Mesh, list[str]]:
    """The mesh with the tag `region` and without the tets of holes, and notes; later regions override earlier ones."""
    if not body.regions:
        return mesh, []
    if not mesh.is_solid:
        raise SceneError(f"{path}.regions: regions are for solids, but the mesh has no tets")
    if not hasattr(body.material, "moduli"):
        raise SceneError(f"{path}.regions: regions have moduli of solids, which '{body.material.name}' does not have")
    number, first, notes = np.zeros(len(mesh.tets), dtype=np.int32), 1, []
    for k, region in enumerate(body.regions):
        try:
            parts = region.parts(mesh)
        except SuppleError as error:
            raise SceneError(f"{path}.regions[{k}]: {error}") from None
        found = parts != OUTSIDE
        number[found] = first + parts[found]
        empty = [p for p in range(len(region.made_of)) if not (parts == p).any()]
        if len(empty) == len(region.made_of):
            notes.append(f"regions[{k}]: no tet has its centre there")
        elif empty:
            notes.append(f"regions[{k}]: no tet has its material number {', '.join(map(str, empty))}")
        first += len(region.made_of)
    return _without_holes(body, replace(mesh, tags={**mesh.tags, REGION: number}), path, notes)


def _without_holes(body: Body, mesh: Mesh, path: str, notes: list[str]) -> tuple[Mesh, list[str]]:
    holes = [k for k, made in enumerate(_made_of(body)) if made.removed]
    kept = ~np.isin(mesh.tags[REGION], holes)
    if kept.all():
        return mesh, notes
    try:
        left, crumbs = without_crumbs(kept_tets(mesh, kept))
    except MeshError as error:
        raise SceneError(f"{path}.regions: {error}") from None
    said = f"{int((~kept).sum())} of {len(kept)} tets are holes"
    if crumbs:
        said += f", and {crumbs} without a shared face were removed"
    return left, [*notes, said]


def law_of_tets(law: Material, body: Body, mesh: Mesh, t: float = 0.0) -> Material:
    """The law with position-dependent constants evaluated per tet, and with the moduli of regions, at a time [s]."""
    placed = law.at(centres(mesh), t) if law.varies else law
    if all(made.young is made.poisson is None for made in _made_of(body)):
        return placed
    found = moduli_of(body, mesh, placed)
    return placed.with_moduli(found.young, found.poisson)


def law_in_run(law: Material, body: Body, mesh: Mesh, t: float) -> Material:
    """`law_of_tets` at a time of the run; its constants may leave their bounds then, so errors name body and time."""
    try:
        return law_of_tets(law, body, mesh, t)
    except SuppleError as error:
        raise SuppleError(f"{body.name}.material at t = {t:g} s: {error}") from None


def tensors_of(body: Body, mesh: Mesh) -> Array:
    """(6, 6) or (m, 6, 6) stiffness of a body of linear elasticity in Mandel form [Pa]."""
    if isinstance(body.material, FormulaMaterial):
        return WEIGHT[:, None] * WEIGHT * stiffness_at_rest(law_of_tets(body.material, body, mesh), len(mesh.tets))
    own = getattr(body.material, "tensor", None)
    if own is not None and (not body.regions or getattr(body.material, "stiffness", None) is not None):
        return _own_tensors(body, mesh, own())
    found = moduli_of(body, mesh, body.material)
    return isotropic(found.young, found.poisson)


def densities(body: Body, mesh: Mesh) -> Array | float | None:
    """Density per tet, or of the whole body [kg/m^3]; None if the body has a mass instead."""
    if not body.regions or body.density is None:
        return body.density
    return _values(body, mesh, "density", body.density)


def _own_tensors(body: Body, mesh: Mesh, tensor: Array) -> Array:
    """Tensors of a body with its own stiffness matrix; regions have both moduli or none."""
    if not body.regions:
        return tensor
    made = _made_of(body)
    half = [k for k, m in enumerate(made) if (m.young is None) != (m.poisson is None)]
    if half:
        raise SuppleError("the body has a stiffness matrix; a region gives both young and poisson, or none of them")
    each = [tensor if m.young is None else isotropic(m.young, m.poisson) for m in made]
    return np.array(each)[mesh.tags[REGION]]


def moduli_of(body: Body, mesh: Mesh, material: BodyMaterial | Preset, tets: Ints | None = None) -> Moduli:
    """Moduli of the regions, or of the material; `tets`: tet of each particle, which has the moduli of its tet."""
    moduli = getattr(material, "moduli", None)
    if moduli is None:
        raise SuppleError(
            f"'{material.name}' of a body whose regions have moduli is given by young and poisson; constants of a material can "
            'depend on position instead, such as "where(Z < 0.1, 1e5, 2e5)"'
        )
    young, poisson = moduli
    return Moduli(_values(body, mesh, "young", young, tets), _values(body, mesh, "poisson", poisson, tets))


def _values(body: Body, mesh: Mesh, key: str, usual: float | Array, tets: Ints | None = None) -> Array:
    """(m,) value of the tet's region, or the default; for all tets, or for those of particles."""
    found = np.full(len(mesh.tets if tets is None else tets), usual)
    for number, made in enumerate(_made_of(body) if body.regions else ()):
        if (value := getattr(made, key)) is not None:
            region = mesh.tags[REGION] if tets is None else mesh.tags[REGION][tets]
            found[region == number] = value
    return found


def _made_of(body: Body) -> list[RegionMaterial]:
    """Meaning of the values of the tag `region`."""
    return [RegionMaterial(), *(made for region in body.regions for made in region.made_of)]
