"""Ropes and rods: chains of springs that may resist bending."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Literal

from supple.energies.bending.rod import RodBending
from supple.energies.springs.generalised import edge_springs
from supple.energies.springs.springs import StVKSprings
from supple.energies.springs.stiffness import stvk_stiffness
from supple.energies.term import EnergyTerm
from supple.errors import MeshError, SuppleError
from supple.model.materials.structure import STRUCTURES, Structure
from supple.values import NotNegative, Positive

if TYPE_CHECKING:
    from supple.model.placed import Placed


@STRUCTURES("rod")
@dataclass(frozen=True)
class Rod(Structure):
    """A rope or rod: springs along it, and bending between neighbouring edges.

    Energy EA/2 strain^2 and EI/2 curvature^2 over the length; straight at rest.
    """

    young: Positive | None = None
    """Young's modulus of a round rod [Pa], with `radius`."""
    radius: Positive | None = None
    """Radius of a round rod [m]."""
    axial: Positive | None = None
    """Axial stiffness EA [N], instead of `young` and `radius`."""
    rigidity: NotNegative | None = None
    """Flexural rigidity EI [N m^2]; if absent, E pi r^4/4 for a round rod, else 0."""
    springs: Literal["hooke", "stvk"] = "stvk"
    """Law of the springs: linear in the length, or in its square, exact under avf."""

    stiffnesses: ClassVar[tuple[str, ...]] = ("young", "axial", "rigidity")

    def __post_init__(self) -> None:
        round_rod = [key for key in ("young", "radius") if getattr(self, key) is not None]
        if (self.axial is None) == (not round_rod) or len(round_rod) == 1:
            found = ", ".join([*round_rod, *(["axial"] if self.axial is not None else [])]) or "none of them"
            raise SuppleError(f"give either young and radius, or axial (and rigidity), found {found}")

    @property
    def resistance(self) -> float:
        """EA [N]."""
        if self.axial is not None or self.young is None or self.radius is None:
            return float(self.axial or 0.0)
        return self.young * math.pi * self.radius**2

    @property
    def bending(self) -> float:
        """EI [N m^2]."""
        if self.rigidity is not None:
            return self.rigidity
        return self.resistance * self.radius**2 / 4.0 if self.radius is not None else 0.0

    @property
    def resists_bending(self) -> bool:
        return self.bending > 0.0

    def floppier(self, factor: float) -> Rod:
        return replace(self, rigidity=self.bending / factor)

    def terms(self, placed: Placed) -> Iterator[EnergyTerm]:
        mesh = placed.mesh
        if mesh.is_solid or len(mesh.triangles) or not len(mesh.edges):
            raise MeshError("'rod' is for chains of edges; take the shape rope, or a file of lines")
        links = mesh.edges[mesh.edge_groups["stretch"]] if "stretch" in mesh.edge_groups else mesh.edges
        edges = placed.own(links)
        linear = edge_springs(placed.vertices, edges, self.resistance)
        if self.springs == "hooke":
            yield linear
        else:
            yield StVKSprings(placed.vertices, edges, stvk_stiffness(linear.stiffness, linear.rest_length))
        if self.bending:
            yield RodBending(placed.vertices, edges, self.bending)
