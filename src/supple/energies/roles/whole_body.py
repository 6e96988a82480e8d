"""Terms that join every vertex of a body with every other."""

from __future__ import annotations

from collections.abc import Sequence

from supple.energies.samples import Samples
from supple.types import Array


class WholeBody:
    """A function of a sum over all elements. `add_hessian` gives the part of the Hessian that stays between neighbours."""

    def outer_products(self, samples: Samples) -> Sequence[tuple[float, Array]]:
        """Numbers w and fields a (n, 3): the weighted Hessian has the further part w a a^T for each of them."""
        raise TypeError(f"{type(self).__name__} does not define outer_products")
