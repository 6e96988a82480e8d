"""Materials beyond strain-energy densities, and the interface of all materials to a body."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar, Self, TypeAlias

from supple.energies.term import EnergyTerm
from supple.materials.material import Material
from supple.materials.membranes.membrane import MembraneLaw
from supple.materials.options import multiplied
from supple.registry import Registry

if TYPE_CHECKING:
    from supple.mesh.mesh import Mesh
    from supple.model.placed import Placed


class Structure:
    """Base of the materials that create their own terms; subclasses are frozen dataclasses in STRUCTURES."""

    name: ClassVar[str]
    from_file: ClassVar[bool] = False
    """Whether it is only for bodies made by `supple coarsen`."""
    about_young: ClassVar[float] = 0.0
    """Stiffness scale for contact, sufficient to stop such bodies within a step [Pa]."""
    stiffnesses: ClassVar[tuple[str, ...]] = ()
    """Fields that scale its energy."""
    bend_stiffnesses: ClassVar[tuple[str, ...]] = ()
    """Those that scale bending only."""

    def terms(self, placed: Placed) -> Iterable[EnergyTerm]:
        """The energy terms of a body made of it."""
        raise TypeError(f"{type(self).__name__} does not define its terms")

    def scaled(self, factor: float) -> Self:
        """The same material with its stiffness scaled by a factor."""
        return multiplied(self, self.stiffnesses, factor)

    @property
    def resists_bending(self) -> bool:
        """Whether it has a separate bending stiffness."""
        return any(getattr(self, key) for key in self.bend_stiffnesses)

    def floppier(self, factor: float) -> Self:
        """The same material with its bending stiffness divided by a factor."""
        return multiplied(self, self.bend_stiffnesses, 1.0 / factor)

    def other_laws(self) -> tuple[str, ...]:
        """Names of materials suitable for the same mesh, including this one; empty if there is no choice."""
        return ()

    def as_law(self, name: str, mesh: Mesh) -> Structure:
        """The material of that name with the same stiffness for small strains."""
        raise TypeError(f"{type(self).__name__} has no other laws")


BodyMaterial: TypeAlias = Material | MembraneLaw | Structure
STRUCTURES: Registry[Structure] = Registry("material", "supple.model.materials", variable="STRUCTURES")
