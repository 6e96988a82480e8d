"""The particles of a positioned body, and their law."""

from __future__ import annotations

from typing import TYPE_CHECKING

from supple.errors import SceneError, SuppleError
from supple.materials.material import Material
from supple.model.points.points import Filled, law_of_points, slopes
from supple.points.cloud import Cloud

if TYPE_CHECKING:
    from supple.model.placed import Placed


def cloud_of(placed: Placed, filled: Filled) -> Cloud:
    """The cloud of a body whose mesh is filled with particles."""
    law = placed.material
    if isinstance(placed.law, Material) and placed.law.changes:
        raise SceneError(
            f"{placed.path}.material: constants that change with time are for meshes; those of material points are fixed"
        )
    if not isinstance(law, Material):
        raise SceneError(
            f"{placed.path}.material: '{law.name}' is not a law of solids, which points require; take one such as "
            'stable-neo-hookean or sand, or let the mesh move with the grid by points = "vertices"'
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
