"""A flag in a gusty wind."""

from __future__ import annotations

import numpy as np

from supple.mesh.shapes_thin import Cloth
from supple.scene.templates.cloth import DAMPED, cloth_tables, thin
from supple.scene.templates.figures import number, rounded
from supple.scene.templates.model import Model

HELD = 0.01
"""Part of its length that the pole holds."""


def usual() -> Model:
    """The flag of a scene without a model."""
    shape = Cloth(cells=(26, 20), size=(1.2, 0.8), plane="xy", origin=(0.0, 1.2, 0.0), pattern="equilateral")
    table = (
        '{ shape = "cloth", cells = [26, 20], size = [1.2, 0.8], plane = "xy", origin = [0.0, 1.2, 0.0], '
        'pattern = "equilateral" }'
    )
    return Model("flag", shape.mesh(), table)


def write(model: Model, up: str) -> str:
    """The tables of the scene: the flag points along x."""
    across = "z" if up == "y" else "y"
    size, edge = model.size, float(model.low[0] + HELD * model.mesh.extent[0])
    waves = f"{number(rounded(6.0 / size))} * x - 13 * t"
    gusts = f"4 * sin({waves}) + 2 * sin({number(rounded(4.0 / size))} * {up} + 7 * t)"
    wind = ['"7 + 2 * sin(1.7 * t)"', "0", f'"{gusts}"']
    wind = wind if across == "z" else [wind[0], wind[2], wind[1]]
    return f"""\
{cloth_tables(model, thin(model))}\
groups = {{ pole = {{ expression = "X < {number(np.round(edge, 6))}" }} }}
pin = "pole" # the edge with the smallest x

# The wind, in m/s: along x, with gusts, and waves across it that run down the flag.
[[damping]]
name = "aerodynamic"
drag = 1.0
lift = 1.0
skin = 0.02
wind = [{", ".join(wind)}]

{DAMPED}
# Uncomment if the flag folds so far that it meets itself; steps then take longer.
# [contact]
"""
