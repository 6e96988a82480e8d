"""The particles of a body in its place, and the law that they carry."""

from __future__ import annotations

from typing import TYPE_CHECKING

from supple.errors import SceneError, SuppleError
from supple.materials.material import Material
from supple.model.points.points import Filled, law_of_points, slopes
from supple.points.cloud import Cloud

if TYPE_CHECKING:
    from supple.model.placed import Placed


def cloud_of(placed: Placed, filled: Filled) -> Cloud:
    """What a body that fills a mesh with particles brings into a system."""
    law = placed.material
    if isinstance(placed.law, Material) and placed.law.changes:
        raise SceneError(
            f"{placed.path}.material: constants that change with time are for meshes; material points keep theirs"
        )
    if not isinstance(law, Material):
        raise SceneError(
            f"{placed.path}.material: '{law.name}' is no law of solids, and points carry nothing else; take one such as "
            'stable-neo-hookean or sand, or let the mesh ride on the grid by points = "vertices"'
        )
    try:
        F, rate = slopes(placed.body.initial, placed.mesh.vertices, 0.5 * filled.cell)
    except SuppleError as error:
        raise SceneError(f"{placed.path}.initial: {error}") from None
    try:
        return Cloud(placed.numbers, filled.seeds.volume, law, rate, F, filled.cell)
    except SuppleError as error:
        raise SceneError(f"{placed.path}.material: {error}") from None


def law_in_place(placed: Placed, law: Material, filled: Filled) -> Material:
    """A law with the constants of each particle."""
    try:
        return law_of_points(law, placed.body, filled)
    except SuppleError as error:
        raise SceneError(f"{placed.path}.material: {error}") from None
