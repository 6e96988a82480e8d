"""Terms that couple every vertex of a body with every other."""

from __future__ import annotations

from collections.abc import Sequence

from supple.energies.samples import Samples
from supple.types import Array


class WholeBody:
    """A function of a sum over all elements. `add_hessian` adds the part of the Hessian that couples neighbours only."""

    def outer_products(self, samples: Samples) -> Sequence[tuple[float, Array]]:
        """Scalars w and fields a (n, 3): the weighted Hessian has an additional part w a a^T for each of them."""
        raise TypeError(f"{type(self).__name__} does not define outer_products")
