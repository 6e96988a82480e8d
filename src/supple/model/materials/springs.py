"""Bodies made of springs: along the edges of a mesh, across its elements, and between sliding lines."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from supple.energies.springs.springs import HookeSprings, StVKSprings
from supple.energies.term import EnergyTerm
from supple.errors import SuppleError
from supple.mesh.measure import edge_lengths
from supple.mesh.mesh import Mesh
from supple.model.materials.spring_nets import edge_stiffness, netted, sliding_springs
from supple.model.materials.structure import STRUCTURES, Structure
from supple.values import NotNegative, Positive

if TYPE_CHECKING:
    from supple.model.placed import Placed


@dataclass(frozen=True)
class SpringNet(Structure):
    """Springs along the edges of a mesh, for ropes and cloth; and across its elements."""

    stretch: Positive | None = None
    """Stiffness k of the edges of the mesh."""
    shear: NotNegative | None = None
    """Stiffness k of the diagonals; `stretch` if absent."""
    young: Positive | None = None
    """Young's modulus [Pa] of a sheet or rope with body.thickness, instead of `stretch` and `shear`: spring
    stiffnesses are chosen so that the stretching stiffness does not depend on the mesh. Poisson's ratio of such nets
    is 1/3."""
    bend: NotNegative = 0.0
    """Stiffness k of the springs that span two edges, or that connect the corners opposite an edge."""
    altitude: NotNegative = 0.0
    """Resistance of the shortest altitude of each tet or triangle [N], its stiffness times its rest length; 0: none.
    It allows meshes of tets made of springs. For hooke-spring only."""
    axial: NotNegative = 0.0
    """Resistance of springs between each inner edge and the line through its opposite corners [N], their stiffness
    times the length of the edge; they resist bending of cloth, instead of `bend`. For hooke-spring only."""

    kind: ClassVar[type[HookeSprings | StVKSprings]]
    stiffnesses: ClassVar[tuple[str, ...]] = ("stretch", "shear", "young", "bend", "altitude", "axial")
    bend_stiffnesses: ClassVar[tuple[str, ...]] = ("bend", "axial")

    def __post_init__(self) -> None:
        direct = [key for key in ("stretch", "shear") if getattr(self, key) is not None]
        if (self.stretch is None) == (self.young is None) or (self.young is not None and direct):
            found = ", ".join([*direct, *(["young"] if self.young is not None else [])]) or "none of them"
            raise SuppleError(f"give either stretch (and shear), or young with body.thickness, found {found}")
        if self.young is not None and self.altitude:
            raise SuppleError("young: springs of tets need `stretch`; the resistance of their altitudes is `altitude`")
        sliding = [key for key in ("altitude", "axial") if getattr(self, key)]
        if sliding and self.kind is not HookeSprings:
            raise SuppleError(f"{' and '.join(sliding)}: such springs are linear in their length; take hooke-spring")

    @property
    def diagonal(self) -> float | None:
        """Stiffness of the diagonals."""
        return self.stretch if self.shear is None else self.shear

    def terms(self, placed: Placed) -> Iterator[EnergyTerm]:
        edges, stiffness = edge_stiffness(self, placed.mesh, placed.thickness)
        yield self.kind(placed.vertices, placed.own(edges), stiffness)
        yield from sliding_springs(self, placed.mesh, placed.vertices, placed.first)

    def other_laws(self) -> tuple[str, ...]:
        # springs with sliding ends are implemented for one law only
        return () if self.altitude or self.axial else tuple(sorted(cls.name for cls in (HookeSpring, StVKSpring)))

    def as_law(self, name: str, mesh: Mesh) -> SpringNet:
        cls = next(cls for cls in (HookeSpring, StVKSpring) if cls.name == name)
        given = {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}
        if self.young is not None or isinstance(self, cls):
            return cls(**given)
        # k (Hooke) = 4 l0^2 k (StVK), with the mean of l0^2 over the springs that share a stiffness
        net = netted(self, mesh)
        squares = edge_lengths(net.vertices, net.edges) ** 2
        given["shear"] = self.diagonal
        for key in ("stretch", "shear", "bend"):
            chosen = net.edge_groups.get(key, np.arange(len(net.edges)) if key == "stretch" else np.empty(0, np.int32))
            if len(chosen) and given[key]:
                ratio = 4.0 * float(squares[chosen].mean())
                given[key] = given[key] / ratio if cls is StVKSpring else given[key] * ratio
        return cls(**given)


@STRUCTURES("hooke-spring")
@dataclass(frozen=True)
class HookeSpring(SpringNet):
    """Springs of energy k/2 (l - l0)^2 with k in N/m; l is the length, l0 at rest."""

    kind: ClassVar[type[HookeSprings | StVKSprings]] = HookeSprings


@STRUCTURES("stvk-spring")
@dataclass(frozen=True)
class StVKSpring(SpringNet):
    """Springs of energy k/2 (l^2 - l0^2)^2 with k in N/m^3; l is the length, l0 at rest."""

    kind: ClassVar[type[HookeSprings | StVKSprings]] = StVKSprings
