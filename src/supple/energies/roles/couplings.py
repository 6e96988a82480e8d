"""Terms that couple other vertices at every configuration, as contact does."""

from __future__ import annotations

from collections.abc import Sequence

from supple.energies.samples import Samples
from supple.types import Array, Ints


class ChangingCouplings:
    """A term without elements: its Hessian comes as blocks over the vertices that are near each other now."""

    def coupling_blocks(self, samples: Samples, project: bool) -> Sequence[tuple[Ints, Array]]:
        """Corners (m, k) and weighted second derivatives (m, 3k, 3k); `project`: each made positive semidefinite."""
        return ()

    def safe_coupling_blocks(self, samples: Samples, project: bool) -> Sequence[tuple[Ints, Array]]:
        """As `coupling_blocks`, for the next iteration of Newton's method far from the minimum, where second derivatives may
        promise too little resistance to a long step. A term that is frozen in a step may look at the iterations before."""
        return self.coupling_blocks(samples, project)

    def coupling_means(self, x0: Array, x1: Array) -> Sequence[tuple[Ints, Array]]:
        """Corners (m, k) and discrete gradients (m, k, 3) over a step (see `EnergyTerm.element_mean_gradients`)."""
        return ()

    def coupling_mean_jacobians(self, x0: Array, x1: Array) -> Sequence[tuple[Ints, Array]]:
        """Corners (m, k) and derivatives (m, 3k, 3k) of `coupling_means` with respect to x1; in general not symmetric."""
        return ()

    def end_couplings(self, v: Array) -> Sequence[tuple[Ints, Array]]:
        """Corners (m, k) and matrices (m, 3k, 3k) of a dissipation whose strength follows the end of the step: derivatives of
        its force at the velocities v with respect to the end positions, through that strength alone."""
        return ()
