"""Barrier contact between triangles (Li et al. 2020): V = sum over pairs of w m(x) phi(D), D the squared distance.

phi see surface_barrier.py, m see mollifier.py. Its kappa is a pressure [Pa], w the area of a pair: the force does not
depend on the mesh size. V is infinite where surfaces touch, or come as close as their thickness; steps are shortened
before that (`max_step`). Discrete gradients: see quotient.py.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from supple.contact.surfaces.barrier_over_step import BarrierOverStep
from supple.contact.surfaces.distances import squared_distances
from supple.contact.surfaces.pair_energy import add_energies, hessians, pressing
from supple.contact.surfaces.quotient import mean_gradients
from supple.contact.surfaces.quotient_jacobians import mean_jacobians, mean_presses
from supple.contact.surfaces.surface import ContactSurface
from supple.contact.surfaces.touching import Pairs, Touching
from supple.energies.roles.averages import AveragedOverSteps
from supple.energies.roles.contact import ContactTerm
from supple.energies.roles.couplings import ChangingCouplings
from supple.energies.roles.step_bounds import BoundsSteps
from supple.energies.samples import Samples
from supple.energies.term import EnergyTerm, Placement
from supple.energies.touch import Touch
from supple.errors import SuppleError
from supple.linalg.parts import Parts
from supple.types import Array, Ints


class BarrierContact(EnergyTerm, ContactTerm, BoundsSteps, ChangingCouplings, AveragedOverSteps):
    """Keeps the triangles of a surface apart."""

    def __init__(self, surface: ContactSurface, dhat: float, kappa: float) -> None:
        """dhat: gap at which the barrier begins [m]; kappa: its stiffness [Pa]."""
        if not (0.0 < dhat < np.inf and 0.0 < kappa < np.inf):
            raise SuppleError(f"contact: dhat and kappa must be positive, found {dhat:g} m and {kappa:g} Pa")
        self.surface, self.dhat, self.kappa = surface, dhat, kappa
        self.elements = np.zeros((0, 1), dtype=np.int32)
        self._touching = Touching(surface, dhat)
        self._last: tuple[tuple[Pairs, Pairs], tuple[Pairs, Pairs], list[Pairs]] | None = None

    def pairs(self, x: Array) -> tuple[Pairs, Pairs]:
        """Pairs whose gap is smaller than dhat."""
        return self._touching.at(x)

    def smallest_gap(self, x: Array) -> float:
        """Smallest gap, the distance less half of both thicknesses, if it is below dhat, else dhat [m]."""
        found = [(np.sqrt(squared_distances(p.kind, x, p.corners)) - p.offset) for p in self.pairs(x)]
        gaps = [own.min() for own in found if len(own)]
        return float(min(gaps, default=self.dhat))

    def touches(self, x: Array) -> list[Touch]:
        """Contacts and their forces, for friction."""
        found = []
        for pairs in self.pairs(x):
            m = len(pairs.corners)
            if m:
                touch = Touch(pairs.corners, np.empty((m, 4)), np.empty((m, 3)), np.empty(m))
                pressing(pairs.kind, x, *self._law(pairs), touch.coefficients, touch.normal, touch.force)
                found.append(touch)
        return found

    def presses(self, x0: Array, x1: Array) -> list[Touch]:
        """Contacts over a step: the sum of the mean gradients of one side's corners is -lambda n."""
        return [
            Touch(pairs.corners, *mean_presses(pairs.kind, x0, x1, *self._law(pairs))) for pairs in self._either(x0, x1)
        ]

    def energies_by(self, x: Array, owner: Ints, count: int) -> Array:
        """(count,) energies of the pairs of each owner [J]; owner (n,): index per vertex, -1 for the last row. A pair
        belongs to the largest index among its corners."""
        out, unused = np.zeros(count), np.zeros_like(x)
        for pairs in self.pairs(x):
            owners = owner[pairs.corners].max(axis=1, initial=-1)
            for own in np.unique(owners):
                mine = pairs.chosen(np.flatnonzero(owners == own))
                out[own] += add_energies(mine.kind, x, *self._law(mine), 0.0, unused)
        return out

    # -- sums over pairs ---------------------------------------------------------------------------------------------

    def add_value_gradient(self, samples: Samples, parts: Parts, gradient: Array) -> float:
        total = 0.0
        for x, energy, force in zip(samples.x, samples.energy, samples.force, strict=True):
            for pairs in self.pairs(x):
                total += energy * add_energies(pairs.kind, x, *self._law(pairs), force, gradient)
        return total

    def add_hessian(self, samples: Samples, place: Placement, values: Array, project: bool = False) -> None:
        """No elements: see `coupling_blocks`."""

    def coupling_blocks(self, samples: Samples, project: bool) -> Sequence[tuple[Ints, Array]]:
        found = []
        for x, curvature in zip(samples.x, samples.curvature, strict=True):
            for pairs in self.pairs(x):
                if len(pairs.corners):
                    found.append((pairs.corners, hessians(pairs.kind, x, *self._law(pairs), curvature, project)))
        return found

    def safe_coupling_blocks(self, samples: Samples, project: bool) -> Sequence[tuple[Ints, Array]]:
        """Definite blocks: a pressed contact is tangentially unstable, too much for the inertia of small bodies."""
        return self.coupling_blocks(samples, True)

    def averaged(self, x0: Array) -> EnergyTerm:
        return BarrierOverStep(x0, self._either, self._law)

    def coupling_means(self, x0: Array, x1: Array) -> Sequence[tuple[Ints, Array]]:
        return [(pairs.corners, self._means(pairs, x0, x1)) for pairs in self._either(x0, x1)]

    def coupling_mean_jacobians(self, x0: Array, x1: Array) -> Sequence[tuple[Ints, Array]]:
        return [(pairs.corners, self._mean_jacobians(pairs, x0, x1)) for pairs in self._either(x0, x1)]

    def max_step(self, x: Array, p: Array) -> float:
        step = self._touching.free_step(x, p)
        return step if step < 1.0 else np.inf

    def groups(self, x: Array) -> Ints | None:
        return self._touching.groups(x)

    def clipped(self, x: Array, p: Array) -> Array:
        return self._touching.own_steps(x, p)

    def passes(self, x0: Array, x1: Array) -> bool:
        return self._touching.passes(x0, x1)

    def _either(self, x0: Array, x1: Array) -> list[Pairs]:
        """Pairs within reach before or after a step; the last result is cached, since forces and stiffness use the same one."""
        before, after = self.pairs(x0), self.pairs(x1)
        if self._last is None or self._last[0] is not before or self._last[1] is not after:
            both = [first.joined(second) for first, second in zip(before, after, strict=True)]
            self._last = before, after, [pairs for pairs in both if len(pairs.corners)]
        return self._last[2]

    def _means(self, pairs: Pairs, x0: Array, x1: Array) -> Array:
        """(m, 4, 3) discrete gradients."""
        return np.asarray(mean_gradients(pairs.kind, x0, x1, *self._law(pairs)))

    def _mean_jacobians(self, pairs: Pairs, x0: Array, x1: Array) -> Array:
        """(m, 12, 12) their derivatives with respect to x1."""
        return np.asarray(mean_jacobians(pairs.kind, x0, x1, *self._law(pairs)))

    def _law(self, pairs: Pairs) -> tuple[Ints, Array, Array, Array, float, float]:
        """Kernel data of pairs."""
        return pairs.corners, pairs.weight, pairs.threshold, pairs.offset, self.dhat, self.kappa
