"""Strain-energy densities, one a file; `MATERIALS.load()` knows them all by name."""

from supple.kernel_cache import choose
from supple.registry import Registry

choose()  # before Numba reads its settings

MATERIALS = Registry("material", "supple.materials")
