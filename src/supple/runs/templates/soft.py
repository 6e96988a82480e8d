"""A soft body that falls onto the ground."""

from __future__ import annotations

import numpy as np

from supple.mesh.shapes.round import Ball
from supple.runs.templates.figures import DAMPING, number, sides, softness, vector
from supple.runs.templates.model import GivenModel

DENSITY = 1000.0
STRAIN = 0.02
"""Strain under its own weight."""
DROP = 0.5
"""Height above the ground over the size of the body."""


WORD = """\
material = "{word}" # with its stiffness, density and damping; {{ name = "{word}", stiffer = 2 }} is twice as stiff
"""
"""The material as a preset."""
DAMPED = f"""
# Removes vibration of single elements, which avf would preserve, and little of the motion: an eighth of time.step.
[[damping]]
name = "rayleigh"
stiffness = {number(DAMPING)}
"""


def usual() -> GivenModel:
    """The body of a scene without a model."""
    shape = Ball(radius=0.1, resolution=5)
    return GivenModel("ball", shape.mesh(), '{ shape = "ball", radius = 0.1, resolution = 5 }')


def write(model: GivenModel, up: str, word: str = "") -> str:
    """The tables of the scene; `word`: material preset of the body."""
    axis = "xyz".index(up)
    place = -model.middle
    place[axis] = DROP * model.size - model.low[axis]
    mesh = model.mesh
    return f"""\
[[body]]
name = "{model.name}"
mesh = {model.table} # {mesh.n:,} vertices, {len(mesh.tets):,} tets, {sides(mesh.extent)}
initial = {{ translate = {vector(np.round(place, 6))} }} # in the air; velocity = [x, y, z] throws it
{WORD.format(word=word) if word else _figures(model)}
[[obstacle]]
name = "ground"
shape = "half-space" # the ground, at height 0
friction = 0.5
{"" if word else DAMPED}"""


def _figures(model: GivenModel) -> str:
    return f"""\
density = {number(DENSITY)} # kg/m^3: 1000 is water, flesh and rubber

[body.material] # or a preset with its own density and damping: material = "jelly"; `supple presets` lists them
name = "stable-neo-hookean"
young = {number(softness(DENSITY, model.size, STRAIN))} # Pa: larger is stiffer; 1e4 is jelly, 1e6 rubber
poisson = 0.4 # 0.5 would be incompressible
"""
