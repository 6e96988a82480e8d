"""Bodies made of user-defined springs: the text of an energy, and its constants."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from supple.energies.springs.formula import FormulaSprings, spring_potential
from supple.energies.term import EnergyTerm
from supple.errors import SuppleError
from supple.model.materials.spring_nets import by_groups, netted
from supple.model.materials.structure import STRUCTURES, Structure
from supple.values import FREE_KEYS, NotNegative

if TYPE_CHECKING:
    from supple.model.placed import Placed


@STRUCTURES("formula-spring")
@dataclass(frozen=True)
class OwnSpring(Structure):
    """Springs with an energy given as a formula of l, s = l^2, e = l/l0 - 1 and l0; l is the length, l0 at rest."""

    energy: str
    """Energy of one spring [J]."""
    stretch: NotNegative = 1.0
    """Factor on the energy of the edges of the mesh [-]."""
    shear: NotNegative | None = None
    """Factor on the energy of the diagonals; `stretch` if absent [-]."""
    bend: NotNegative = 0.0
    """Factor on the energy of springs that span two edges, or that connect the corners opposite an edge [-]."""
    title: str = "formula-spring"
    """Name in messages."""
    values: tuple[tuple[str, Any], ...] = field(default=(), metadata=FREE_KEYS)
    """Constants by name; in a scene file they are further keys of the table."""

    stiffnesses: ClassVar[tuple[str, ...]] = ("stretch", "shear", "bend")
    altitude: ClassVar[float] = 0.0

    def __post_init__(self) -> None:
        for name, value in self.values:
            if not np.isfinite(value):
                raise SuppleError(f"{self.title}.{name}: input should be a finite number, found {value}")
        try:
            spring_potential(self.energy, tuple(name for name, _ in self.values)).demand_size()
        except ValueError as error:
            raise SuppleError(f"{self.title}.energy: {error}") from None

    def terms(self, placed: Placed) -> Iterator[EnergyTerm]:
        net = netted(self, placed.mesh)
        edges, factor = by_groups(net, self.stretch, self.stretch if self.shear is None else self.shear, self.bend)
        yield FormulaSprings(placed.vertices, placed.own(edges), self.energy, dict(self.values), factor)


def spring(
    name: str,
    energy: str,
    *,
    stretch: float = 1.0,
    shear: float | None = None,
    bend: float = 0.0,
    **constants: float,
) -> OwnSpring:
    """User-defined springs along the edges of a mesh, from the energy of one spring [J].

    spring("rubber band", "k/2*max(l - l0, 0)^2", k=50.0)
    """
    return OwnSpring(energy, stretch, shear, bend, name, tuple(constants.items()))
