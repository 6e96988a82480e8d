"""Material points: particles that carry mass, velocity and deformation, and a grid on which they interact in each step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from supple.kernel_cache import choose
from supple.registry import Registry

if TYPE_CHECKING:
    from supple.points.transfer import Transfer

choose()  # before Numba reads its settings

TRANSFERS: Registry[Transfer] = Registry("transfer", "supple.points")
