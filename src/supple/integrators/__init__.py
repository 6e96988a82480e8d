"""Time-stepping methods, one family per file; `INTEGRATORS.load()` has them all by name."""

from supple.registry import Registry

INTEGRATORS = Registry("integrator", "supple.integrators", "supple.adaptive")
