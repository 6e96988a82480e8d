"""Methods for bodies made of springs."""

from supple.kernel_cache import choose

choose()  # before Numba reads its settings
