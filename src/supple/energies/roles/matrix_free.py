"""Terms with matrix-free Hessian products."""

from __future__ import annotations

from typing import Protocol

from supple.energies.samples import Samples
from supple.types import Array


class LinearMap(Protocol):
    """A symmetric matrix over vertices, defined by its products."""

    @property
    def ignores_translation(self) -> bool:
        """Whether its product with a uniform translation vanishes."""
        ...

    def times(self, p: Array) -> Array:
        """(n, 3) product with a displacement p (n, 3)."""
        ...

    def blocks(self) -> Array:
        """(n, 3, 3) the diagonal blocks."""
        ...


class MatrixFree:
    """A term that provides such products."""

    def linear_map(self, samples: Samples) -> LinearMap | None:
        """The weighted Hessian; None if it vanishes."""
        raise TypeError(f"{type(self).__name__} does not define linear_map")
