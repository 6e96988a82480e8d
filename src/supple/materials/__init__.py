"""Strain-energy densities, one a file; `MATERIALS.load()` knows all those of solids by name, `MEMBRANES.load()` of sheets."""

from supple.kernel_cache import choose
from supple.registry import Registry

choose()  # before Numba reads its settings

MATERIALS = Registry("material", "supple.materials")
MEMBRANES = Registry("membrane", "supple.materials")
