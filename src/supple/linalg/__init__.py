"""Linear algebra that knows no physics."""

from supple import kernel_cache  # noqa: F401  (before Numba reads its settings)
