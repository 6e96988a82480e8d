"""Dashpots along springs: D(v) = c/2 sum (u . (v_j - v_i))^2, u = (x_j - x_i)/|x_j - x_i|.

Forces are opposite and act along the spring, so both momenta are conserved at the configuration where u is frozen.
Methods that freeze it at the middle of the step (implicit midpoint, simo-tarnow) conserve angular momentum to
round-off. A spring of length zero has no direction and is not damped.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from supple.damping import DAMPINGS
from supple.damping.damper import Damped, Dampers, Damping
from supple.damping.quadratic import FrozenQuadratic
from supple.energies import pulls
from supple.energies.instant import Instant
from supple.energies.roles.frozen import TorqueFree
from supple.energies.samples import Samples
from supple.energies.solids.solid import Solid
from supple.energies.term import EnergyTerm
from supple.errors import SuppleError
from supple.formulas.curves import PositiveChanging
from supple.types import Array, Ints


@DAMPINGS("dashpot")
@dataclass(frozen=True)
class Dashpot(Damping):
    """A damper parallel to every spring between two vertices; other kinds of springs are not damped."""

    c: PositiveChanging
    """Force per unit speed along the spring [N s/m]."""

    viscosities: ClassVar[tuple[str, ...]] = ("c",)

    def on(self, bodies: Damped) -> Dampers:
        springs = [term for term in bodies.elastic if term.elements.shape[1] == 2]
        if not springs or any(isinstance(term, Solid) for term in bodies.elastic):
            found = ", ".join(sorted({type(term).__name__ for term in bodies.elastic}))
            raise SuppleError(
                f"dashpot: damps springs between two vertices only, found {found or 'no elastic body'}; "
                "for solids use viscosity, structure-preserving or rayleigh, or name the bodies that consist of springs"
            )
        return Dampers(tuple(Dashpots(term.elements, self.c) for term in springs))


class Dashpots(EnergyTerm, TorqueFree):
    """Dashpots between pairs of vertices."""

    degree = 2

    def __init__(self, pairs: Ints, c: float | Array) -> None:
        """pairs (m, 2); c: one value, or one per pair [N s/m]."""
        self.elements = pairs
        self.c = np.broadcast_to(np.asarray(c, dtype=np.float64), (len(pairs),))

    def freeze(self, instant: Instant) -> EnergyTerm:
        d = instant.place[self.elements[:, 1]] - instant.place[self.elements[:, 0]]
        s = np.einsum("mi,mi->m", d, d)
        weight = np.where(s > 0.0, self.c / np.where(s > 0.0, s, 1.0), 0.0)
        block = weight[:, None, None] * d[:, :, None] * d[:, None, :]  # c u u^T
        return FrozenQuadratic(self.elements, np.block([[block, -block], [-block, block]]))

    def constants(self) -> dict[str, Array]:
        """(m,) `c`."""
        return {"c": self.c}

    def pull_place(self, instant: Instant, samples: Samples, lam: Array) -> Array:
        # S = c (u . p)(u . w), p and w along lam and velocities, du = (I - u u^T) dd/l
        u, length, p, w = self._along(instant, samples, lam)
        up, uw = np.einsum("mi,mi->m", u, p), np.einsum("mi,mi->m", u, w)
        both = uw[:, None] * p + up[:, None] * w
        bar = (self.c / length)[:, None] * (both - (2.0 * up * uw)[:, None] * u)
        return pulls.at_vertices(self.elements, np.stack([-bar, bar], axis=1), len(lam))

    def pull_frozen(self, instant: Instant, samples: Samples, lam: Array) -> dict[str, Array]:
        u, _, p, w = self._along(instant, samples, lam)
        return {"c": np.einsum("mi,mi->m", u, p) * np.einsum("mi,mi->m", u, w)}

    def _along(self, instant: Instant, samples: Samples, lam: Array) -> tuple[Array, Array, Array, Array]:
        """Directions u, lengths, and differences of lam and of the weighted velocities between the ends."""
        v = np.einsum("q,qni->ni", samples.force, samples.x)
        d, p, w = (field[self.elements[:, 1]] - field[self.elements[:, 0]] for field in (instant.place, lam, v))
        length = np.linalg.norm(d, axis=1)
        safe = np.where(length > 0.0, length, 1.0)
        return d / safe[:, None], safe, p, w
