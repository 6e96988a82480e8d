"""Registered methods that move bodies with a mesh: mpm, which moves points, has separate tests."""

from supple.integrators import INTEGRATORS

METHODS = {name: cls for name, cls in sorted(INTEGRATORS.load().items()) if not cls.moves_points}
