"""A rope that is fixed at one end and released."""

from __future__ import annotations

import numpy as np

from supple.mesh.shapes.thin import Rope
from supple.runs.templates.figures import DAMPING, number, rounded, sides, softness
from supple.runs.templates.model import GivenModel

DENSITY = 1100.0
STRAIN = 0.002
"""Strain under its own weight."""
SLENDER = 100.0
"""Length over diameter."""


def usual() -> GivenModel:
    """The rope of a scene without a model."""
    shape = Rope(segments=40, length=1.0, origin=(0.0, 1.2, 0.0))
    return GivenModel("rope", shape.mesh(), '{ shape = "rope", segments = 40, length = 1.0, origin = [0.0, 1.2, 0.0] }')


def write(model: GivenModel, up: str) -> str:
    """The tables of the scene: the end with the smallest x is fixed, above the ground."""
    axis, size = "xyz".index(up), model.size
    radius = rounded(0.5 * size / SLENDER)
    edge = float(model.low[0] + 1e-3 * size)
    ground = np.zeros(3)
    ground[axis] = float(model.low[axis]) - 0.9 * size
    return f"""\
[[body]]
name = "{model.name}"
mesh = {model.table} # {model.mesh.n:,} vertices, {sides(model.mesh.extent)}
thickness = {number(2.0 * radius)} # m, its diameter
density = {number(DENSITY)} # kg/m^3
groups = {{ hook = {{ expression = "X < {number(edge)}" }} }}
pin = "hook" # the end with the smallest x

[body.material]
name = "rod"
young = {number(softness(DENSITY, size, STRAIN))} # Pa: larger stretches less
radius = {number(radius)}

[[obstacle]]
name = "ground"
shape = "half-space"
point = [{", ".join(number(rounded(v, 3) + 0.0) for v in ground)}]
friction = 0.5

# Removes vibration of single segments, which avf would preserve, and little of the swing: an eighth of time.step.
[[damping]]
name = "rayleigh"
stiffness = {number(DAMPING)}
"""
