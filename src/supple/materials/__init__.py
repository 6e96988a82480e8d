"""Strain-energy densities, one a file; `MATERIALS.load()` knows them all by name."""

from supple import kernel_cache  # noqa: F401  (before Numba reads its settings)
from supple.registry import Registry

MATERIALS = Registry("material", "supple.materials")
