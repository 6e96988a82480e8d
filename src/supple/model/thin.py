"""Elastic properties besides the material: bending, internal pressure, area and volume stiffness."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, Literal

from annotated_types import Ge, Le

from supple.checks import checked
from supple.energies.areas.element_area import ElementAreas
from supple.energies.areas.element_volume import ElementVolumes
from supple.energies.areas.whole_measure import (
    ConstantPressure,
    Gas,
    Law,
    Stiffness,
    enclosed_volume,
    whole_area,
    whole_volume,
)
from supple.energies.bending.dihedral import DihedralBending
from supple.energies.bending.formula import FormulaBending, bending_potential, demand_evenness
from supple.energies.bending.quadratic import QuadraticBending
from supple.energies.bending.rigidity import bending_stiffness
from supple.energies.drive import DrivenAs
from supple.energies.term import EnergyTerm
from supple.errors import MeshError, SuppleError
from supple.formulas.curves import Changing, changes
from supple.mesh.topology import surface
from supple.model.changing.drives import at, driven
from supple.values import FREE_KEYS, NotNegative, Positive, Read
from supple.wording import suggestion

if TYPE_CHECKING:
    from supple.model.placed import Placed

AIR = 101_325.0
"""Pressure of the air at sea level [Pa]."""


@checked
@dataclass(frozen=True)
class Bending:
    """Bending stiffness of a surface of triangles."""

    model: Literal["dihedral", "quadratic", "formula"] = "quadratic"
    """`dihedral`: angles between neighbouring triangles, for any bend and for surfaces that are curved at rest. `quadratic`:
    flat sheets that stretch little, with a constant matrix, exact under avf. `formula`: angles, with a user-defined
    `energy`."""
    rigidity: Positive | None = None
    """Flexural rigidity, EI per unit width [N m]. If absent: E t^3/12 of a membrane with a thickness."""
    energy: str | None = None
    """For `formula`: energy f(d) [N m] of the change d of an angle, times |e|/h_e of the edge; k d^2 is `dihedral`.
    It may contain theta, theta0 and the mean height h of both triangles, and constants of any name, given as further
    keys."""
    values: tuple[tuple[str, Any], ...] = field(default=(), metadata=FREE_KEYS)
    """Constants of the energy by name."""

    def __post_init__(self) -> None:
        if self.model != "formula":
            known = [f.name for f in dataclasses.fields(self) if f.metadata != FREE_KEYS]
            for name, _ in self.values:
                raise SuppleError(f"unknown key '{name}'{suggestion(name, known)}")
        if (self.model == "formula") != (self.energy is not None):
            raise SuppleError('energy and model = "formula" go together: give both, or none of them')
        if self.energy is None:
            return
        if self.rigidity is not None:
            raise SuppleError("rigidity: a user-defined energy has its stiffness in the formula; leave rigidity out")
        try:
            potential = bending_potential(self.energy, tuple(dict(self.values)))
            potential.demand_size()
            demand_evenness(potential, dict(self.values))
        except ValueError as error:
            raise SuppleError(f"energy: {error}") from None

    def terms(self, placed: Placed) -> Iterator[EnergyTerm]:
        triangles, rigidity = placed.triangles("bending"), self.rigidity
        if self.energy is not None:
            yield FormulaBending(placed.vertices, triangles, self.energy, dict(self.values))
            return
        if rigidity is None:
            rigidity = placed.flexural_rigidity()
        if rigidity is None:
            raise SuppleError(
                "give rigidity [N m]; only for a membrane does it follow from Young's modulus and thickness"
            )
        stiffness = bending_stiffness(placed.mesh.vertices, placed.mesh.triangles, rigidity)
        kind = DihedralBending if self.model == "dihedral" else QuadraticBending
        yield kind(placed.vertices, triangles, stiffness)

    def scaled(self, factor: float) -> Bending:
        """The same with its own stiffness, if any, scaled by a factor."""
        if self.energy is not None:
            return dataclasses.replace(self, energy=f"{factor!r} * ({self.energy})")
        return self if self.rigidity is None else dataclasses.replace(self, rigidity=factor * self.rigidity)


def bending(energy: str, **constants: float) -> Bending:
    """User-defined bending, from the energy f(d) [N m] of a hinge whose angle has changed by d.

    bending("k*d^2 + c*d^4", k=1e-5, c=1e-4)
    """
    return Bending("formula", energy=energy, values=tuple(constants.items()))


@checked
@dataclass(frozen=True)
class Pressure:
    """Internal pressure on a closed surface."""

    pressure: Changing
    """Excess pressure over ambient at the rest volume [Pa]; negative: suction. May change with time, to inflate a body."""
    law: Literal["constant", "gas"] = "gas"
    """`constant`: independent of the volume; `gas`: a fixed amount of gas, whose pressure falls as the volume grows."""
    ambient: NotNegative = AIR
    """Pressure outside, for `gas` [Pa]."""
    exponent: Annotated[float, Ge(1), Le(10)] = 1.0
    """Polytropic exponent for `gas`: 1 isothermal (slow), 1.4 adiabatic (fast, air) [-]."""

    def __post_init__(self) -> None:
        if changes(self.pressure):
            return
        if self.law == "gas" and self.pressure + self.ambient <= 0.0:
            raise SuppleError(
                f"there would be no gas: pressure {self.pressure:g} and ambient {self.ambient:g} add up to "
                f"{self.pressure + self.ambient:g} Pa inside, which must be above 0"
            )

    def of_volume(self) -> Law:
        """The law of the volume."""
        if self.law == "constant":
            return ConstantPressure(self.pressure)
        return Gas(self.pressure + self.ambient, self.ambient, self.exponent)

    def terms(self, placed: Placed) -> Iterator[EnergyTerm]:
        inside = enclosed_volume(placed.vertices, placed.own(surface(placed.mesh)), at(self, 0.0).of_volume())
        drive = DrivenAs(f"{placed.name}.pressure", lambda term, t: term.with_law(at(self, t).of_volume()))
        yield driven(inside, drive if changes(self.pressure) else None)


def _in_a_word(value: Any) -> Any:
    """A bare stiffness as a table with it, and "kept" as an exact one."""
    if value == "kept":
        return {"exact": True}
    return {"stiffness": value} if isinstance(value, int | float) and not isinstance(value, bool) else value


@checked
@dataclass(frozen=True)
class Kept:
    """An area or a volume that resists change, by the energy k (1 - m/m0)^2 m0, or an exactly constant volume."""

    stiffness: Positive | None = None
    """k; for areas [N/m], for volumes [Pa]."""
    whole: bool = False
    """Whether only the sum counts: elements may change if others compensate. Otherwise each element resists separately."""
    exact: bool = False
    """Whether the volume inside the whole surface is kept exactly constant, by a constraint instead of an energy."""

    def __post_init__(self) -> None:
        if self.exact and (self.stiffness is not None or self.whole):
            raise SuppleError(
                "exact = true keeps the volume of the whole body without an energy, so it has neither stiffness nor "
                'whole: leave them out, or write volume = "kept"'
            )
        if not self.exact and self.stiffness is None:
            raise SuppleError('stiffness: missing; give a number, or keep a volume exactly by volume = "kept"')

    @property
    def k(self) -> float:
        """The stiffness, unless it is exact."""
        return self.stiffness or 0.0

    def stiffer(self, factor: float) -> Kept:
        """The same with its stiffness scaled by a factor."""
        return self if self.exact else dataclasses.replace(self, stiffness=factor * self.k)

    def area_terms(self, placed: Placed) -> Iterator[EnergyTerm]:
        if self.exact:
            raise SuppleError('"kept" is for volumes; an area has a stiffness [N/m]')
        triangles = placed.triangles("area")
        if self.whole:
            yield whole_area(placed.vertices, triangles, Stiffness(self.k))
        else:
            yield ElementAreas(placed.vertices, triangles, self.k)

    def volume_terms(self, placed: Placed) -> Iterator[EnergyTerm]:
        if self.exact:
            return  # enforced by a constraint
        tets = placed.own(placed.mesh.tets)
        if placed.mesh.is_solid and self.whole:
            yield whole_volume(placed.vertices, tets, Stiffness(self.k))
        elif placed.mesh.is_solid:
            yield ElementVolumes(placed.vertices, tets, self.k)
        elif self.whole:
            yield enclosed_volume(placed.vertices, placed.triangles("volume"), Stiffness(self.k))
        else:
            raise MeshError(
                "a surface has one volume, the enclosed one: write volume = { stiffness = ..., whole = true }"
            )


KeptTable = Annotated[Kept, Read(_in_a_word)]
"""A number, a table, or "kept"."""
