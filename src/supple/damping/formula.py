"""Viscosity as a formula: a dissipation potential phi of deformation rates and of the state of deformation.

D(v) = sum over tets of volume phi(Fdot; F), force -dD/dv, with the variables of rates.py. F is frozen in a step, at
the same configuration as for other dampers. The element loops of solids are reused, with Fdot in place of F. The
dissipated power is Fdot : dphi/dFdot; a formula with a negative power at any sample is rejected. Formulas of Edot or
D do not affect rigid motion; formulas of Fdot also damp rotations.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np

from supple.damping import DAMPINGS
from supple.damping.damper import Damped, Dampers, Damping
from supple.damping.rates import dissipation_potential
from supple.damping.viscous_work import at_corners
from supple.energies.differences import by_numbers
from supple.energies.frozen_pulls import by_constants
from supple.energies.instant import Instant
from supple.energies.roles.frozen import FrozenInSteps, TorqueFree
from supple.energies.samples import Samples
from supple.energies.solids.solid import Solid
from supple.energies.term import EnergyTerm, Placement
from supple.errors import SuppleError
from supple.formulas.potential import Potential
from supple.linalg.parts import Parts
from supple.materials.material import Material, Modulus
from supple.materials.variables import ENTRIES
from supple.types import Array
from supple.values import FREE_KEYS

SAMPLES = 60
"""Number of states and rates at which a formula is tested."""
SIZES = (1e-2, 1.0, 1e2)
"""Magnitudes of the rates [1/s]."""
NOISE = 1e-10
"""Relative error of quantities that should be zero."""


@DAMPINGS("formula")
@dataclass(frozen=True)
class OwnDamping(Damping):
    """Solids with a user-defined viscosity: a dissipation potential as text, in rates, state and constants of any name."""

    dissipation: str
    """Potential per volume at rest [W/m^3] in Edot11 ..., D11 ..., Fdot11 ..., E11 ..., F11 ..., I1, I2, J; half the
    dissipated power if it is quadratic in the rates."""
    values: tuple[tuple[str, Any], ...] = field(default=(), metadata=FREE_KEYS)
    """Constants by name; in a scene file they are further keys of the table."""

    def __post_init__(self) -> None:
        for name, value in self.values:
            if not np.isfinite(value):
                raise SuppleError(f"formula.{name}: input should be a finite number, found {value}")
        try:
            self.potential.demand_size()
            self._demand_dissipation()
        except ValueError as error:
            raise SuppleError(f"formula.dissipation: {error}") from None

    viscosities: ClassVar[tuple[str, ...]] = ("dissipation",)

    def _multiplied(self, factors: dict[str, float]) -> Self:
        factor = factors["dissipation"]
        return self if factor == 1.0 else replace(self, dissipation=f"{factor!r} * ({self.dissipation})")

    @property
    def potential(self) -> Potential:
        return dissipation_potential(self.dissipation, tuple(name for name, _ in self.values))

    def on(self, bodies: Damped) -> Dampers:
        solids = [term for term in bodies.elastic if isinstance(term, Solid)]
        others = sorted({type(term).__name__ for term in bodies.elastic if not isinstance(term, Solid)})
        if others or not solids:
            raise SuppleError(
                f"formula: damps solids (tets) only, found {', '.join(others) or 'no elastic body'}; "
                "for springs use dashpot, structure-preserving or rayleigh, or name the bodies that are solids"
            )
        kind = TorqueFreeRates if self.turns_nothing else DampedRates
        constants = np.array([value for _, value in self.values], dtype=np.float64)
        return Dampers(tuple(kind(solid, self.potential, constants) for solid in solids))

    @cached_property
    def turns_nothing(self) -> bool:
        """Whether its stress P F^T is symmetric, as it is for formulas of Edot and D."""
        F, _, _, P = self._tried
        stress = np.einsum("mij,mkj->mik", P.reshape(-1, 3, 3), F)
        return bool(np.abs(stress - np.swapaxes(stress, 1, 2)).max() <= NOISE * np.abs(stress).max())

    @cached_property
    def _tried(self) -> tuple[Array, Array, Array, Array]:
        """Sample states F, rates Fdot (m, 9), and the potential and its gradient there."""
        random = np.random.default_rng(3)
        F = np.eye(3) + random.uniform(-0.25, 0.25, (SAMPLES, 3, 3))
        rate = random.normal(size=(SAMPLES, 9)) * np.resize(SIZES, SAMPLES)[:, None]
        return F, rate, *self._walk(F, rate)

    def _walk(self, F: Array, rate: Array) -> tuple[Array, Array]:
        state = dict(zip(ENTRIES, F.reshape(-1, 9).T, strict=True))
        value, gradient, _ = self.potential.walk({**dict(self.values), **state}, rate)
        return value, gradient

    def _demand_dissipation(self) -> None:
        F, rate, value, P = self._tried
        still, pull = self._walk(F, 0.0 * rate)
        if not (np.isfinite(still).all() and np.isfinite(pull).all()):
            raise ValueError(
                "it is not defined at zero rate; add a small value under a root or a fractional power, "
                "as in sqrt(Edot11^2 + 1e-6) - 1e-3"
            )
        if not (np.isfinite(value).all() and np.isfinite(P).all()):
            raise ValueError("it is not finite at some rates up to 100 1/s")
        for offset, size, noun, unit in ((still, value, "potential", "W/m^3"), (pull, P, "stress", "Pa")):
            if np.abs(offset).max() > NOISE * np.abs(size).max():
                found = offset.flat[np.abs(offset).argmax()]
                raise ValueError(f"at zero rate the {noun} should be zero, found {found:g} {unit}; subtract it")
        power = np.einsum("mi,mi->m", P, rate)
        if not power.any():
            raise ValueError("it contains no rate and damps nothing; use Edot11 ..., D11 ... or Fdot11 ...")
        if power.min() < -NOISE * np.abs(power).max():
            raise ValueError(
                f"it would drive the motion instead of damping it: {power.min():g} W/m^3 at some rates; "
                "use a potential that grows with every rate, such as a sum of squares"
            )


class DampedRates(EnergyTerm, FrozenInSteps):
    """A dissipation potential over the tets of one solid."""

    def __init__(self, solid: Solid, potential: Potential, constants: Array) -> None:
        self.elements, self.degree = solid.elements, potential.degree
        self._solid, self._potential, self._constants = solid, potential, constants

    def freeze(self, instant: Instant) -> EnergyTerm:
        return FrozenRates(self._frozen(instant))

    def _frozen(self, instant: Instant) -> Solid:
        """A solid whose deformation gradients are rates."""
        F = self._solid.deformation_gradients(instant.place).reshape(-1, 9)
        table = np.concatenate([np.tile(self._constants, (len(F), 1)), F], axis=1)
        rates = copy.copy(self._solid)
        rates.material, rates.parameters, rates.degree = _InState(self._potential, table), table, self.degree
        return rates

    def constants(self) -> dict[str, Array]:
        """(1,) constants of the formula by name."""
        return {name: self._constants[k : k + 1] for k, name in enumerate(self._potential.constants)}

    def _set_constant(self, name: str, values: Array) -> None:
        self._constants = self._constants.copy()
        self._constants[self._potential.constants.index(name)] = values[0]

    def pull_place(self, instant: Instant, samples: Samples, lam: Array) -> Array:
        return at_corners(self._solid, self._by_state(instant, samples, lam), len(lam))

    def pull_frozen(self, instant: Instant, samples: Samples, lam: Array) -> dict[str, Array]:
        """The rest shape acts through Fdot and the volume, as in any solid, and through F: dF = -F G."""
        F, state = self._solid.deformation_gradients(instant.place), self._by_state(instant, samples, lam)
        rest = self._frozen(instant).pull(samples, lam)["rest"]
        rest -= at_corners(self._solid, np.swapaxes(F, 1, 2) @ state, len(lam))
        return {**by_constants(self, self.constants(), instant, samples, lam), "rest": rest}

    def _by_state(self, instant: Instant, samples: Samples, lam: Array) -> Array:
        """(m, 3, 3) derivatives of the work per volume with respect to F, by differences."""
        rates, count = self._frozen(instant), len(self._constants)
        volume = np.where(rates.volume > 0.0, rates.volume, 1.0)

        def worked(state: Array) -> Array:
            other = copy.copy(rates)
            other.parameters = np.concatenate([rates.parameters[:, :count], state], axis=1)
            other.material = _InState(self._potential, other.parameters)
            return other.element_works(samples, lam) / volume

        return by_numbers(worked, rates.parameters[:, count:]).reshape(-1, 3, 3)


class TorqueFreeRates(DampedRates, TorqueFree):
    """The same with a symmetric stress."""


class FrozenRates(EnergyTerm):
    """The potential with the frozen state of a step: a solid whose deformation gradients are rates."""

    def __init__(self, rates: Solid) -> None:
        self.elements, self.degree = rates.elements, rates.degree
        self._rates = rates

    def element_values(self, v: Array) -> Array:
        return self._rates.element_values(v)

    def element_gradients(self, v: Array) -> Array:
        return self._rates.element_gradients(v)

    def element_hessians(self, v: Array) -> Array:
        return self._rates.element_hessians(v)

    def element_works(self, samples: Samples, lam: Array) -> Array:
        return self._rates.element_works(samples, lam)

    def projected_hessians(self, v: Array) -> Array:
        return self._rates.projected_hessians(v) if self._may_be_negative else self._rates.element_hessians(v)

    def add_product(self, samples: Samples, parts: Parts, move: Array, out: Array) -> None:
        self._rates.add_product(samples, parts, move, out)

    def add_value_gradient(self, samples: Samples, parts: Parts, gradient: Array) -> float:
        return self._rates.add_value_gradient(samples, parts, gradient)

    def add_hessian(self, samples: Samples, place: Placement, values: Array, project: bool = False) -> None:
        self._rates.add_hessian(samples, place, values, project and self._may_be_negative)

    @property
    def _may_be_negative(self) -> bool:
        """Whether the Hessian may have negative eigenvalues; not for a quadratic form, since it dissipates at all rates."""
        return self.degree != 2


@dataclass(frozen=True, eq=False)
class _InState(Material):
    """A potential of rates with its constants and the state of each tet, in the form of a material for element loops."""

    potential: Potential
    table: Array

    @property
    def law(self) -> Potential:
        return self.potential

    def constants(self) -> dict[str, Modulus]:
        return {}

    def parameters(self, m: int) -> Array:
        return self.table


def dissipation(text: str, *, bodies: Any = None, **constants: float) -> OwnDamping:
    """User-defined viscosity of solids, from its dissipation potential per volume [W/m^3].

    dissipation("eta*(Edot11^2 + Edot22^2 + Edot33^2 + 2*(Edot12^2 + Edot13^2 + Edot23^2))", eta=10.0)
    """
    return OwnDamping(text, tuple(constants.items()), bodies=bodies)
