"""Time-stepping methods, one family per file; `INTEGRATORS.load()` returns all of them by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from supple.registry import Registry

if TYPE_CHECKING:
    from supple.integrators.method import Method

INTEGRATORS: Registry[Method] = Registry("integrator", "supple.integrators", "supple.adaptive")
