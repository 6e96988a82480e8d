"""Closing the energy balance of any integrator."""

from supple.kernel_cache import choose

choose()  # before Numba reads its settings
