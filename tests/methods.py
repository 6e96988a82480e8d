"""Registered methods that move bodies with a mesh: mpm, which moves points, has tests of its own."""

from supple.integrators import INTEGRATORS

METHODS = {name: cls for name, cls in sorted(INTEGRATORS.load().items()) if not cls.moves_points}
