"""Time-stepping methods, one family a file; `INTEGRATORS.load()` knows them all by name."""

from supple.registry import Registry

INTEGRATORS = Registry("integrator", "supple.integrators", "supple.adaptive")
