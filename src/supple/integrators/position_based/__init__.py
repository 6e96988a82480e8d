"""Position-based dynamics."""

from supple.kernel_cache import choose

choose()  # before Numba reads its settings
