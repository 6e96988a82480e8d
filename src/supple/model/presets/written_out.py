"""Resolution of a preset material: the law with its constants, density, thickness, bending and damping.

The preset of a solid on a surface becomes the membrane of that solid, if there is one; other mismatches are rejected.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from supple.damping.damper import Damping
from supple.energies.bending.hinge import hinges
from supple.energies.bending.quadratic import CURVED, slope_differences
from supple.errors import MeshError, SceneError, SuppleError
from supple.materials.lame import lame
from supple.mesh.mesh import Mesh
from supple.model.body import Body
from supple.model.presets.preset import Preset
from supple.model.presets.published import published
from supple.model.regions.made import RegionMaterial
from supple.model.thin import Bending

STRETCH = 0.03
"""Fraction of the damping of a sheet that acts on stretching: a swing at 60 steps per second then matches one at 480."""
AIR = 1.0
"""Coefficient of the drag of still air on sheets [-]."""


@dataclass(frozen=True)
class WrittenOut:
    """A body with its preset resolved."""

    body: Body
    damping: tuple[Damping, ...] = ()
    """Damping included in the preset."""


def written_out(body: Body, mesh: Mesh, path: str) -> WrittenOut:
    """The body of a mesh with its preset resolved; `path`: location in the world, for messages."""
    if any(made.name is not None for region in body.regions for made in region.made_of):
        try:
            body = replace(body, regions=tuple(region.with_materials(_plain_region) for region in body.regions))
        except SuppleError as error:
            raise SceneError(f"{path}.regions: {error}") from None
    if not isinstance(body.material, Preset):
        return WrittenOut(body)
    try:
        return (_solid if mesh.is_solid else _sheet)(body, body.material, mesh)
    except SuppleError as error:
        raise SceneError(f"{path}.material: {error}") from None


def _solid(body: Body, preset: Preset, mesh: Mesh) -> WrittenOut:
    from supple.damping.viscosity import Viscosity  # compiles kernels: only for bodies that need it

    row = preset.row
    if row.is_sheet:
        raise MeshError(
            f"'{row.word}' is a sheet, but the mesh is solid; take the shape cloth, sphere or tube, a file of triangles, "
            f"or a solid: {_words(sheets=False)}"
        )
    mu, lam = lame(preset.stiffer * row.moduli[0], row.moduli[1])
    tau = preset.retardation
    damping = (Viscosity(shear=tau * mu, bulk=tau * lam),) if tau else ()
    return WrittenOut(replace(body, material=row.solid(preset.stiffer), density=_density(body, preset)), damping)


def _sheet(body: Body, preset: Preset, mesh: Mesh) -> WrittenOut:
    from supple.damping.aerodynamic import Aerodynamic
    from supple.damping.sheet import SheetDamping

    row = preset.row
    if not len(mesh.triangles):
        raise MeshError(f"'{row.word}' is for solids and sheets, but the mesh has only edges; take rod, or springs")
    if not (row.is_sheet or row.sheet):
        raise MeshError(
            f"'{row.word}' is a solid, but the mesh has no tets; fill a closed surface with mesh.edge_length, or take a sheet: "
            f"{_words(sheets=True)}"
        )
    thickness = row.thickness if body.thickness is None else body.thickness
    if thickness is None:
        raise SuppleError(f"'{row.word}' on a surface needs body.thickness [m]; only sheets bring their own")
    rigidity = None
    if row.rigidity is not None and row.thickness is not None:
        rigidity = preset.stiffer * row.rigidity * (thickness / row.thickness) ** 3
    made = replace(
        body,
        material=row.membrane(preset.stiffer),
        density=_density(body, preset),
        thickness=thickness,
        bending=body.bending or Bending("quadratic" if _is_flat(mesh) else "dihedral", rigidity),
    )
    if not preset.damping:
        return WrittenOut(made)
    tau = preset.retardation
    inside = SheetDamping(stretch=STRETCH * tau, bend=tau)
    return WrittenOut(made, (inside, Aerodynamic(drag=min(1.0, preset.damping) * AIR)))


def _density(body: Body, preset: Preset) -> float | None:
    """The density of the body, if it has one or a mass."""
    return preset.density if body.density is None and body.mass is None else body.density


def _is_flat(mesh: Mesh) -> bool:
    """Whether quadratic bending supports the sheet."""
    hinge = hinges(mesh.vertices, mesh.triangles)
    slopes = np.einsum("ma,mai->mi", slope_differences(hinge), mesh.vertices[hinge.elements])
    return bool((np.linalg.norm(slopes, axis=1) <= CURVED).all())


def _plain_region(made: RegionMaterial) -> RegionMaterial:
    """The moduli and density of a region's preset; explicit values take precedence."""
    if made.name is None:
        return made
    row = published()[made.name]
    if row.is_sheet:
        raise SuppleError(
            f"'{row.word}' is a sheet, but regions are parts of solids; take one of {_words(sheets=False)}"
        )
    young, poisson = row.moduli
    return RegionMaterial(
        young=made.stiffer * young if made.young is None else made.young,
        poisson=poisson if made.poisson is None else made.poisson,
        density=made.denser * row.density if made.density is None else made.density,
    )


def _words(sheets: bool) -> str:
    return ", ".join(word for word, row in published().items() if row.is_sheet == sheets)
