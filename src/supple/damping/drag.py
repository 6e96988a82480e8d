"""Drag: a force on every particle proportional to its mass and to its velocity relative to space or to a wind.

D(v) = eta/2 sum_i m_i |v_i - w(x_i, t)|^2, force -eta m (v - w): without wind, velocities decay as exp(-eta t)
(mass-proportional Rayleigh damping). It damps all frequencies alike, including free flight and rotation, so a free
body loses momentum. The wind w is frozen in the step. Its heat eta m |v - w|^2 is booked as dissipated, its work as
external.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from supple.damping import DAMPINGS
from supple.damping.air import Wind, WindText, added, air_velocity
from supple.damping.damper import Damped, Dampers, Damping
from supple.energies.differences import by_corners
from supple.energies.instant import Instant
from supple.energies.roles.driven import DrivenByAir, HeatsAir
from supple.energies.roles.frozen import FrozenInSteps
from supple.energies.samples import Samples
from supple.energies.term import EnergyTerm
from supple.errors import SuppleError
from supple.formulas.curves import PositiveChanging
from supple.types import Array


@DAMPINGS("drag")
@dataclass(frozen=True)
class AirDrag(Damping):
    """Air that slows down all bodies, or carries them along."""

    rate: PositiveChanging
    """Decay rate of velocities [1/s]."""
    wind: WindText | None = None
    """Velocity of the air as a function of position and time; still air if absent [m/s]."""

    rates: ClassVar[tuple[str, ...]] = ("rate",)

    @property
    def damps_strain(self) -> bool:
        return False

    def reaches(self, bodies: Damped) -> bool:
        return bool(bodies.mass.any())

    def in_air(self, air: Wind) -> AirDrag:
        return replace(self, wind=added(self.wind, air))

    @property
    def can_scale(self) -> bool:
        return self.wind is None

    def _multiplied(self, factors: dict[str, float]) -> Self:
        return super()._multiplied(factors) if self.wind is None else self  # a wind is not scaled

    def on(self, bodies: Damped) -> Dampers:
        still = Drag(bodies.mass, self.rate)
        return Dampers((still if self.wind is None else WindDrag(still, self.wind),))


class Drag(EnergyTerm):
    """A term of velocities, to be used as dissipation, not as a potential. Vertices without mass are not damped."""

    degree = 2

    def __init__(self, mass: Array, eta: float) -> None:
        """mass (n,) [kg], eta: decay rate of velocities [1/s]."""
        if not (np.isfinite(eta) and eta >= 0.0):
            raise SuppleError(f"drag: the rate must be finite and not negative, found {eta}")
        self.mass, self.eta = np.asarray(mass, dtype=np.float64), eta
        self.elements = np.flatnonzero(self.mass).astype(np.int32)[:, None]

    @property
    def _weight(self) -> Array:
        """(m,) eta m_i of the vertices with mass [kg/s]."""
        return self.eta * self.mass[self.elements[:, 0]]

    def constants(self) -> dict[str, Array]:
        """(1,) `rate` and (n,) `mass`."""
        return {"rate": np.array([self.eta]), "mass": self.mass}

    def _set_constant(self, name: str, values: Array) -> None:
        if name == "rate":
            self.eta = float(values[0])
        else:
            super()._set_constant(name, values)

    def pull(self, samples: Samples, lam: Array) -> dict[str, Array]:
        vertices = self.elements[:, 0]
        power = np.zeros(len(self.mass))  # u_i . lam_i
        for v, force in zip(samples.x, samples.force, strict=True):
            power[vertices] += force * np.einsum("mi,mi->m", self._through_air(v), lam[vertices])
        return {"rate": np.array([self.mass @ power]), "mass": self.eta * power}

    def element_values(self, v: Array) -> Array:
        u = self._through_air(v)
        return 0.5 * self._weight * np.einsum("ij,ij->i", u, u)

    def element_gradients(self, v: Array) -> Array:
        return (self._weight[:, None] * self._through_air(v))[:, None, :]

    def element_hessians(self, v: Array) -> Array:
        return self._weight[:, None, None] * np.eye(3)

    def _through_air(self, v: Array) -> Array:
        return v[self.elements[:, 0]]


class WindDrag(EnergyTerm, FrozenInSteps, DrivenByAir):
    """Drag in a wind that depends on position and time."""

    degree = 2

    def __init__(self, still: Drag, wind: Wind) -> None:
        """`still`: the drag of the same particles without wind."""
        self.elements = still.elements
        self._still, self._wind = still, wind

    def freeze(self, instant: Instant) -> EnergyTerm:
        return SteadyWindDrag(self._still, air_velocity(self._wind, instant.place, instant.t, "drag"))

    def constants(self) -> dict[str, Array]:
        return self._still.constants()

    def _set_constant(self, name: str, values: Array) -> None:
        self._still = self._still.with_constant(name, values)

    def pull_place(self, instant: Instant, samples: Samples, lam: Array) -> Array:
        # -eta m (dw/dx)^T lam; the wind acts at the particle's own position
        pushed = -samples.force.sum() * self._still.eta * self._still.mass[:, None] * lam

        def blown(places: Array) -> Array:
            w = air_velocity(self._wind, places[:, 0], instant.t, "drag")
            return np.einsum("ni,ni->n", w, pushed)

        size = float(np.ptp(instant.place, axis=0).max(initial=0.0)) or 1.0
        return by_corners(blown, instant.place[:, None], size)[:, 0]

    def pull_frozen(self, instant: Instant, samples: Samples, lam: Array) -> dict[str, Array]:
        return self.freeze(instant).pull(samples, lam)


class SteadyWindDrag(Drag, HeatsAir):
    """Drag in a wind with a known velocity at each particle."""

    def __init__(self, still: Drag, wind: Array) -> None:
        """`still`: the drag of the same particles without wind; wind (n, 3) velocity of the air [m/s]."""
        super().__init__(still.mass, still.eta)
        self._wind = wind[self.elements[:, 0]]

    def heat(self, v: Array) -> float:
        return 2.0 * float(self.element_values(v).sum())

    def _through_air(self, v: Array) -> Array:
        return v[self.elements[:, 0]] - self._wind
