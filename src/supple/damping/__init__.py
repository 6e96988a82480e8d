"""User-specified damping, one kind per file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from supple.kernel_cache import choose
from supple.registry import Registry

if TYPE_CHECKING:
    from supple.damping.damper import Damping

choose()  # before Numba reads its settings

DAMPINGS: Registry[Damping] = Registry("damping", "supple.damping")
