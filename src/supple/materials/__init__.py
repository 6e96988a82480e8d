"""Strain-energy densities, one a file; `MATERIALS.load()` knows them all by name."""

from supple.registry import Registry

MATERIALS = Registry("material", "supple.materials")
