"""Obstacles, contact between bodies, and friction."""

from supple.kernel_cache import choose

choose()  # before Numba reads its settings
