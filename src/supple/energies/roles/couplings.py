"""Terms whose coupled vertices change with the configuration, as in contact."""

from __future__ import annotations

from collections.abc import Sequence

from supple.energies.samples import Samples
from supple.types import Array, Ints


class ChangingCouplings:
    """A term without elements: its Hessian consists of blocks over vertices that are currently close to each other."""

    def coupling_blocks(self, samples: Samples, project: bool) -> Sequence[tuple[Ints, Array]]:
        """Corners (m, k) and weighted second derivatives (m, 3k, 3k); `project`: each made positive semidefinite."""
        return ()

    def safe_coupling_blocks(self, samples: Samples, project: bool) -> Sequence[tuple[Ints, Array]]:
        """As `coupling_blocks`, for the next iteration of Newton's method far from the minimum, where second
        derivatives may underestimate the resistance to a long step. A term that is frozen within a step may use the
        previous iterations."""
        return self.coupling_blocks(samples, project)

    def coupling_means(self, x0: Array, x1: Array) -> Sequence[tuple[Ints, Array]]:
        """Corners (m, k) and discrete gradients (m, k, 3) over a step (see `EnergyTerm.element_mean_gradients`)."""
        return ()

    def coupling_mean_jacobians(self, x0: Array, x1: Array) -> Sequence[tuple[Ints, Array]]:
        """Corners (m, k) and derivatives (m, 3k, 3k) of `coupling_means` with respect to x1; in general not symmetric."""
        return ()

    def end_couplings(self, v: Array) -> Sequence[tuple[Ints, Array]]:
        """Corners (m, k) and matrices (m, 3k, 3k) of a dissipation whose strength depends on the end of the step.

        The matrices are the derivatives of its force at the velocities v with respect to the end positions, through
        that strength alone.
        """
        return ()
