"""Linear algebra that knows no physics."""

from supple.kernel_cache import choose

choose()  # before Numba reads its settings
