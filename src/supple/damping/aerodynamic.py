"""Air on the triangles of a surface, each treated as a small flat plate (after Wejchert and Haumann 1991, Keckeisen 2004).

u: mean velocity of the corners relative to the air at the centroid; n: unit normal, on either side; A: area;
c = |n . u|/|u|, the cosine of the angle between motion and normal. Force on the triangle, a third of it on each corner:
    drag   -1/2 rho A C_D c |u| u
    lift   -1/2 rho A C_L |u| [(n . u) n - c^2 u]      across u: a plate at an angle to the stream is pushed to its lee side
    skin   -1/2 rho A C_f |u| [u - (n . u) n]
Lift has the magnitude 1/2 rho A C_L |u|^2 c sqrt(1 - c^2): zero edge-on and face-on, where its direction would jump,
and largest at 45 degrees. C_D = C_L = C is slightly more than the pressure -1/2 rho A C |u| (n . u) n alone.

n, A, |u| and c are frozen in the step, |u| and c with the velocities at its start, so the force is -B u,
    B = 1/2 rho A |u| [a_n n n^T + a_t (I - n n^T)],   a_n = C_D c + C_L (1 - c^2),   a_t = C_D c + C_f - C_L c^2
and D(v) = 1/2 u^T B u. If lift makes a_t negative, that part acts as a constant force and D stays convex. Limits: of
order 1 in the step if the velocity changes; both faces of a solid count, and triangles do not shelter each other.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np
from annotated_types import Ge

from supple.damping import DAMPINGS
from supple.damping.air import Wind, WindText, added, air_velocity
from supple.damping.damper import Damped, Dampers, Damping
from supple.damping.quadratic import FrozenQuadratic
from supple.energies.differences import SHORT
from supple.energies.frozen_pulls import by_constants, by_instant
from supple.energies.instant import Instant
from supple.energies.roles.driven import DrivenByAir, HeatsAir
from supple.energies.roles.frozen import FrozenInSteps
from supple.energies.samples import Samples
from supple.energies.term import EnergyTerm
from supple.errors import SuppleError
from supple.formulas.curves import NotNegativeChanging, PositiveChanging, positive
from supple.linalg.parts import Parts
from supple.materials.options import unchecked
from supple.types import Array, Ints

Coefficient = Annotated[float, Ge(0)]


@DAMPINGS("aerodynamic")
@dataclass(frozen=True)
class Aerodynamic(Damping):
    """Air forces on cloth and other surfaces, depending on their orientation in the stream."""

    density: PositiveChanging = 1.2
    """Density of the air [kg/m^3]."""
    drag: NotNegativeChanging = 1.0
    """Coefficient of the force against the stream, for a plate that faces it [-]."""
    lift: NotNegativeChanging = 0.0
    """Coefficient of the force across the stream [-]."""
    skin: NotNegativeChanging = 0.0
    """Coefficient of friction along the surface [-]."""
    wind: WindText | None = None
    """Velocity of the air as a function of position and time; still air if absent [m/s]."""

    def __post_init__(self) -> None:
        if not (positive(self.drag) or positive(self.lift) or positive(self.skin)):
            raise SuppleError(
                "aerodynamic: found drag = 0, lift = 0 and skin = 0, which have no effect; give one of them above 0"
            )

    @property
    def damps_strain(self) -> bool:
        return False

    def reaches(self, bodies: Damped) -> bool:
        return len(bodies.triangles) > 0

    def in_air(self, air: Wind) -> Aerodynamic:
        return replace(self, wind=added(self.wind, air))

    def on(self, bodies: Damped) -> Dampers:
        if not len(bodies.triangles):
            raise SuppleError(
                "aerodynamic: acts on triangles, and there are none; use drag for ropes and particles, or name the bodies "
                "that have a surface"
            )
        return Dampers((Air(bodies.triangles, self),))


class Air(EnergyTerm, FrozenInSteps, DrivenByAir):
    """The air around some triangles."""

    degree = 2
    reach = SHORT  # the wind changes sign across a triangle with a kink

    def __init__(self, triangles: Ints, law: Aerodynamic) -> None:
        """triangles (m, 3)."""
        self.elements = np.ascontiguousarray(triangles, dtype=np.int32)
        self._law = law

    def freeze(self, instant: Instant) -> EnergyTerm:
        if instant.v is None:
            raise SuppleError("aerodynamic: depends on velocities, and cannot be evaluated for a configuration alone")
        corners = instant.place[self.elements]
        wind = self._law.wind
        w = np.zeros((len(corners), 3))
        if wind is not None:
            w = air_velocity(wind, corners.mean(axis=1), instant.t, "aerodynamic")
        u = instant.v[self.elements].mean(axis=1) - w
        B, push = plates(corners, u, self._law)
        return SteadyAir(self.elements, B, w, push)

    def constants(self) -> dict[str, Array]:
        """(1,) `density`, `drag`, `lift`, `skin`."""
        return {name: np.array([getattr(self._law, name)]) for name in ("density", "drag", "lift", "skin")}

    def _set_constant(self, name: str, values: Array) -> None:
        self._law = unchecked(self._law, **{name: float(values[0])})

    def pull_place(self, instant: Instant, samples: Samples, lam: Array) -> Array:
        return by_instant(self, "place", instant, samples, lam)

    def pull_velocity(self, instant: Instant, samples: Samples, lam: Array) -> Array:
        return by_instant(self, "v", instant, samples, lam)

    def pull_frozen(self, instant: Instant, samples: Samples, lam: Array) -> dict[str, Array]:
        return by_constants(self, self.constants(), instant, samples, lam)


def plates(corners: Array, u: Array, law: Aerodynamic) -> tuple[Array, Array]:
    """B (m, 3, 3), positive semidefinite [N s/m], and the constant force (m, 3) [N] of triangles (m, 3, 3) with
    relative velocities u."""
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])  # 2 A n
    double = np.linalg.norm(normal, axis=1)
    n = normal / np.where(double > 0.0, double, 1.0)[:, None]
    speed = np.linalg.norm(u, axis=1)
    c = np.abs(np.einsum("mi,mi->m", n, u)) / np.where(speed > 0.0, speed, 1.0)
    scale = 0.25 * law.density * double * speed  # 1/2 rho A |u|
    across = scale * (law.drag * c + law.lift * (1.0 - np.minimum(c, 1.0) ** 2))
    along = scale * (law.drag * c + law.skin - law.lift * c**2)
    nn = n[:, :, None] * n[:, None, :]
    plane = np.eye(3) - nn
    B = across[:, None, None] * nn + np.maximum(along, 0.0)[:, None, None] * plane
    return B, -np.minimum(along, 0.0)[:, None] * np.einsum("mij,mj->mi", plane, u)


class SteadyAir(FrozenQuadratic, HeatsAir):
    """sum over triangles of 1/2 u^T B u - f . u,  u = mean of the corners' velocities - w."""

    def __init__(self, triangles: Ints, B: Array, wind: Array, push: Array) -> None:
        """B (m, 3, 3) [N s/m], wind (m, 3) velocities w [m/s], push (m, 3) forces f [N]."""
        super().__init__(triangles, np.tile(B / 9.0, (1, 3, 3)))
        self._B, self._wind, self._push = B, wind, push

    def element_values(self, v: Array) -> Array:
        u = self._through_air(v)
        return 0.5 * np.einsum("mi,mij,mj->m", u, self._B, u) - np.einsum("mi,mi->m", self._push, u)

    def element_gradients(self, v: Array) -> Array:
        return np.repeat(self._pull(self._through_air(v))[:, None, :] / 3.0, 3, axis=1)

    def heat(self, v: Array) -> float:
        u = self._through_air(v)
        return float(np.einsum("mi,mi->", u, self._pull(u)))

    def element_works(self, samples: Samples, lam: Array) -> Array:
        return EnergyTerm.element_works(self, samples, lam)

    def add_value_gradient(self, samples: Samples, parts: Parts, gradient: Array) -> float:
        return EnergyTerm.add_value_gradient(self, samples, parts, gradient)

    def _through_air(self, v: Array) -> Array:
        return v[self.elements].mean(axis=1) - self._wind

    def _pull(self, u: Array) -> Array:
        """(m, 3) B u - f."""
        return np.einsum("mij,mj->mi", self._B, u) - self._push
