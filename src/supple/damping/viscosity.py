"""Objective viscosity of solids: P = F (2 eta Edot + zeta tr(Edot) I), Edot = sym(F^T Fdot).

D(v) = sum over tets of volume (eta Edot : Edot + zeta/2 tr(Edot)^2): Edot is the rate of Green's strain, which
vanishes in rigid motion, so both momenta are conserved: P F^T is symmetric at the frozen F. Methods that freeze it at
the middle of the step (implicit midpoint, simo-tarnow) conserve angular momentum to round-off. With corner vectors
y_a = F g_a, g_a the gradient of corner a's shape function, the element matrix is
    A_(ai)(bk) = volume [eta ((F F^T)_ik g_a . g_b + y_bi y_ak) + zeta y_ai y_bk]
Compressed elements are damped less and stretched ones more, according to F.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numba import njit, prange

from supple.damping import DAMPINGS
from supple.damping.damper import Damped, Dampers, Damping
from supple.damping.quadratic import FrozenQuadratic
from supple.damping.viscous_work import ViscousWork, at_corners
from supple.energies.instant import Instant
from supple.energies.roles.frozen import TorqueFree
from supple.energies.samples import Samples
from supple.energies.solids.solid import Solid
from supple.energies.term import EnergyTerm
from supple.errors import SuppleError
from supple.formulas.curves import NotNegativeChanging, positive
from supple.linalg.threads import calm_workers
from supple.types import Array

calm_workers()


@DAMPINGS("viscosity")
@dataclass(frozen=True)
class Viscosity(Damping):
    """Solids that resist the rate of strain only."""

    shear: NotNegativeChanging = 0.0
    """Viscosity eta of all strain rates [Pa s]."""
    bulk: NotNegativeChanging = 0.0
    """Additional viscosity zeta of volume changes [Pa s]."""

    viscosities: ClassVar[tuple[str, ...]] = ("shear", "bulk")

    def __post_init__(self) -> None:
        if not (positive(self.shear) or positive(self.bulk)):
            raise SuppleError(
                f"viscosity: found shear = {self.shear:g} and bulk = {self.bulk:g}, which damp nothing; "
                "give shear > 0 [Pa s], bulk > 0 [Pa s], or both"
            )

    def on(self, bodies: Damped) -> Dampers:
        solids = [term for term in bodies.elastic if isinstance(term, Solid)]
        others = sorted({type(term).__name__ for term in bodies.elastic if not isinstance(term, Solid)})
        if others or not solids:
            raise SuppleError(
                f"viscosity: damps solids (tets) only, found {', '.join(others) or 'no elastic body'}; "
                "for springs use dashpot, structure-preserving or rayleigh, or name the bodies that are solids"
            )
        return Dampers(tuple(Viscous(solid, self.shear, self.bulk) for solid in solids))


class Viscous(EnergyTerm, TorqueFree):
    """Viscosity of one solid."""

    degree = 2

    def __init__(self, solid: Solid, eta: float, zeta: float) -> None:
        """eta, zeta: viscosities [Pa s]."""
        self.elements = solid.elements
        self._solid, self._eta, self._zeta = solid, eta, zeta

    def freeze(self, instant: Instant) -> EnergyTerm:
        matrices = np.empty((len(self.elements), 12, 12))
        F = self._solid.deformation_gradients(instant.place)
        viscous_matrices(F, self._solid.shape, self._solid.volume, self._eta, self._zeta, matrices)
        return FrozenQuadratic(self.elements, matrices)

    def constants(self) -> dict[str, Array]:
        """(1,) `shear` and `bulk`."""
        return {"shear": np.array([self._eta]), "bulk": np.array([self._zeta])}

    def _set_constant(self, name: str, values: Array) -> None:
        if name not in ("shear", "bulk"):
            raise SuppleError(f"viscosity: unknown constant '{name}'; it has shear and bulk")
        self._eta, self._zeta = (float(values[0]), self._zeta) if name == "shear" else (self._eta, float(values[0]))

    def pull_place(self, instant: Instant, samples: Samples, lam: Array) -> Array:
        work = self._work(instant, samples, lam)
        return at_corners(self._solid, work.by_state(self._eta, self._zeta), len(lam))

    def pull_frozen(self, instant: Instant, samples: Samples, lam: Array) -> dict[str, Array]:
        work, volume = self._work(instant, samples, lam), self._solid.volume
        rest = at_corners(self._solid, work.by_rest(self._eta, self._zeta), len(lam))
        return {"shear": np.array([volume @ work.shear]), "bulk": np.array([volume @ work.bulk]), "rest": rest}

    def _work(self, instant: Instant, samples: Samples, lam: Array) -> ViscousWork:
        v = np.einsum("q,qni->ni", samples.force, samples.x)
        return ViscousWork(*(self._solid.deformation_gradients(field) for field in (instant.place, v, lam)))


@njit(cache=True, parallel=True)
def viscous_matrices(F: Array, shape: Array, volume: Array, eta: float, zeta: float, out: Array) -> None:
    """out (m, 12, 12) = element matrices A of all tets."""
    for e in prange(volume.size):
        g, y, B = np.empty((4, 3)), np.empty((4, 3)), np.empty((3, 3))
        for j in range(3):
            g[1, j], g[2, j], g[3, j] = shape[e, 0, j], shape[e, 1, j], shape[e, 2, j]
            g[0, j] = -(g[1, j] + g[2, j] + g[3, j])
        for i in range(3):
            for a in range(4):
                y[a, i] = F[e, i, 0] * g[a, 0] + F[e, i, 1] * g[a, 1] + F[e, i, 2] * g[a, 2]
            for k in range(3):
                B[i, k] = F[e, i, 0] * F[e, k, 0] + F[e, i, 1] * F[e, k, 1] + F[e, i, 2] * F[e, k, 2]
        shear, bulk = eta * volume[e], zeta * volume[e]
        for a in range(4):
            for b in range(4):
                near = g[a, 0] * g[b, 0] + g[a, 1] * g[b, 1] + g[a, 2] * g[b, 2]
                for i in range(3):
                    for k in range(3):
                        entry = shear * (B[i, k] * near + y[b, i] * y[a, k]) + bulk * y[a, i] * y[b, k]
                        out[e, 3 * a + i, 3 * b + k] = entry
