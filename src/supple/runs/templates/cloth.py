"""A cloth that falls over a table."""

from __future__ import annotations

import numpy as np

from supple.mesh.shapes.thin import Cloth
from supple.runs.templates.figures import DAMPING, number, rounded, sides, vector
from supple.runs.templates.model import GivenModel

AREA_DENSITY = 0.2
"""Area density of cotton [kg/m^2]."""
TENSION = 200.0
"""E t of a cloth of 1 m, which then stretches by 1 % under its own weight [N/m]."""
RIGIDITY = 1e-4
"""Bending rigidity of a cloth of 1 m, giving folds about 4 cm wide [N m]; folds scale with the size."""


def usual() -> GivenModel:
    """The cloth of a scene without a model."""
    shape = Cloth(cells=(28, 32), size=(1.2, 1.2), pattern="equilateral")
    table = '{ shape = "cloth", cells = [28, 32], size = [1.2, 1.2], pattern = "equilateral" }'
    return GivenModel("cloth", shape.mesh(), table)


def write(model: GivenModel, up: str, word: str = "") -> str:
    """The tables of the scene; `word`: material preset of the cloth."""
    axis, extent = "xyz".index(up), model.mesh.extent
    thickness = thin(model)
    table = 0.5 * extent
    table[axis] = 0.08 * model.size
    height = 0.5 * model.size
    centre = np.zeros(3)
    centre[axis] = height - 0.5 * table[axis]
    place = -model.middle
    place[axis] = height + 4.0 * thickness - model.low[axis]
    return f"""\
{word_tables(model, word) if word else cloth_tables(model, thickness)}\
initial = {{ translate = {vector(place)} }} # just above the table

[[obstacle]]
name = "table"
shape = "box"
centre = {vector(centre)}
size = {vector(np.maximum(table, 0.05 * model.size))}
friction = 0.3

[[obstacle]]
name = "floor"
shape = "half-space" # the ground, at height 0
friction = 0.3

# The cloth does not pass through itself.
[contact]
friction = 0.3
{"" if word else DAMPED}"""


DAMPED = f"""
# Removes wrinkles of single triangles, which avf would preserve, and little of the motion: an eighth of time.step.
[[damping]]
name = "rayleigh"
stiffness = {number(DAMPING)}
"""


def cloth_tables(model: GivenModel, thickness: float, bending: float = 1.0) -> str:
    """The body up to its material; `bending`: its bending rigidity over that of a tablecloth."""
    mesh, size = model.mesh, model.size
    return f"""\
[[body]]
name = "{model.name}"
mesh = {model.table} # {mesh.n:,} vertices, {sides(mesh.extent)}
thickness = {number(thickness)} # m; also the distance kept by contact
material = {{ name = "stvk-membrane", young = {number(rounded(TENSION * size / thickness))}, poisson = 0.3 }} # young in Pa
density = {number(rounded(AREA_DENSITY / thickness, 2))} # kg/m^3; times the thickness: {AREA_DENSITY:g} kg/m^2, as cotton
bending = {{ rigidity = {number(rounded(bending * RIGIDITY * size**3))} }} # N m: larger makes wider folds
"""


def word_tables(model: GivenModel, word: str) -> str:
    """The body up to its material, which includes thickness, bending and damping."""
    return f"""\
[[body]]
name = "{model.name}"
mesh = {model.table} # {model.mesh.n:,} vertices, {sides(model.mesh.extent)}
material = "{word}" # with its thickness, weight and bending; {{ name = "{word}", stiffer = 2 }} is twice as stiff
"""


def thin(model: GivenModel) -> float:
    """A thickness compatible with the edge lengths of a mesh [m]: the contact distance is as large again."""
    return rounded(min(4e-3 * model.size, 0.2 * model.shortest_edge))
