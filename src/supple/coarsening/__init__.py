"""Numerical coarsening: a fine heterogeneous body replaced by a small anisotropic one with the same motion (Kharevych 2010)."""

from supple.kernel_cache import choose

choose()  # before Numba reads its settings
