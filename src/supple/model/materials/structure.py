"""Materials that are more than a strain-energy density, and what a body asks of any material."""

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
    """Base of the materials that make their own terms; subclasses are frozen dataclasses in STRUCTURES."""

    name: ClassVar[str]
    from_file: ClassVar[bool] = False
    """Whether it is the material of bodies that `supple coarsen` has made, and of no others."""
    about_young: ClassVar[float] = 0.0
    """Contact of such bodies is stiff enough for what stops them within a step [Pa]."""
    stiffnesses: ClassVar[tuple[str, ...]] = ()
    """Fields that its energy is multiplied with."""
    bend_stiffnesses: ClassVar[tuple[str, ...]] = ()
    """Those of them that resist bending alone."""

    def terms(self, placed: Placed) -> Iterable[EnergyTerm]:
        """The energy terms of a body made of it."""
        raise TypeError(f"{type(self).__name__} does not define its terms")

    def scaled(self, factor: float) -> Self:
        """The same material, so many times stiffer."""
        return multiplied(self, self.stiffnesses, factor)

    @property
    def resists_bending(self) -> bool:
        """Whether it resists bending by a stiffness of its own."""
        return any(getattr(self, key) for key in self.bend_stiffnesses)

    def floppier(self, factor: float) -> Self:
        """The same material with its resistance to bending divided."""
        return multiplied(self, self.bend_stiffnesses, 1.0 / factor)

    def other_laws(self) -> tuple[str, ...]:
        """Names of materials that the same mesh can be made of, this one included; empty if there is no choice."""
        return ()

    def as_law(self, name: str, mesh: Mesh) -> Structure:
        """The material of that name which is as stiff for small strains."""
        raise TypeError(f"{type(self).__name__} has no other laws")


BodyMaterial: TypeAlias = Material | MembraneLaw | Structure
STRUCTURES: Registry[Structure] = Registry("material", "supple.model.materials", variable="STRUCTURES")
