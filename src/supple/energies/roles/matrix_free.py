"""Terms whose Hessian can be multiplied with without being laid out as a matrix."""

from __future__ import annotations

from typing import Protocol

from supple.energies.samples import Samples
from supple.types import Array


class LinearMap(Protocol):
    """A symmetric matrix over vertices, known by its products."""

    @property
    def ignores_translation(self) -> bool:
        """Whether its product with a move of all vertices alike vanishes."""
        ...

    def times(self, p: Array) -> Array:
        """(n, 3) of a move p (n, 3)."""
        ...

    def blocks(self) -> Array:
        """(n, 3, 3) the blocks of its diagonal."""
        ...


class MatrixFree:
    """A term that has such products."""

    def linear_map(self, samples: Samples) -> LinearMap | None:
        """The weighted Hessian; None if it vanishes."""
        raise TypeError(f"{type(self).__name__} does not define linear_map")
