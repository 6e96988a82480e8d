"""Discrete shells (Grinspun et al. 2003): springs, areas and angles with separate weights."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from supple.energies.areas.element_area import ElementAreas
from supple.energies.bending.dihedral import DihedralBending
from supple.energies.springs.generalised import edge_springs
from supple.energies.term import EnergyTerm
from supple.mesh.topology import unique_edges
from supple.model.materials.structure import STRUCTURES, Structure
from supple.values import NotNegative, Positive

if TYPE_CHECKING:
    from supple.model.placed import Placed


@STRUCTURES("discrete-shell")
@dataclass(frozen=True)
class DiscreteShell(Structure):
    """A discrete shell: edges, areas and angles resist deviations from their rest values.

    Energy k_l sum (1 - l/l0)^2 l0 + k_A sum (1 - A/A0)^2 A0 + k_b sum (theta - theta0)^2 |e|/h_e.
    """

    stretch: Positive
    """k_l of all edges [N]."""
    area: NotNegative = 0.0
    """k_A of all triangles [N/m]."""
    bend: NotNegative = 0.0
    """k_b of all inner edges [N m]; 3/16 of the rigidity of a strip of equilateral triangles."""

    stiffnesses: ClassVar[tuple[str, ...]] = ("stretch", "area", "bend")
    bend_stiffnesses: ClassVar[tuple[str, ...]] = ("bend",)

    def terms(self, placed: Placed) -> Iterator[EnergyTerm]:
        triangles = placed.triangles(f"'{self.name}'")
        # k (1 - l/l0)^2 l0 = kappa/2 (l - l0)^2 with kappa = 2 k/l0
        yield edge_springs(placed.vertices, unique_edges(triangles), 2.0 * self.stretch)
        if self.area:
            yield ElementAreas(placed.vertices, triangles, self.area)
        if self.bend:
            yield DihedralBending(placed.vertices, triangles, self.bend)
