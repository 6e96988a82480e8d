"""Strain-energy densities, one per file; `MATERIALS.load()` registers solids by name, `MEMBRANES.load()` sheets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from supple.kernel_cache import choose
from supple.registry import Registry

if TYPE_CHECKING:
    from supple.materials.material import Material
    from supple.materials.membranes.membrane import MembraneLaw

choose()  # before Numba reads its settings

MATERIALS: Registry[Material] = Registry("material", "supple.materials", per_element=True, of_place=True)
FORMULAS: Registry[Material] = Registry(
    "material", "supple.materials", variable="FORMULAS", per_element=True, of_place=True
)
"""Materials without predefined constants, given by the user as a formula."""
MEMBRANES: Registry[MembraneLaw] = Registry("membrane", "supple.materials", per_element=True)
