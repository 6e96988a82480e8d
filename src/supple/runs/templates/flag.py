"""A flag in a gusty wind."""

from __future__ import annotations

from supple.mesh.shapes.thin import Cloth
from supple.runs.templates.cloth import DAMPED, cloth_tables, thin, word_tables
from supple.runs.templates.figures import number, rounded
from supple.runs.templates.model import GivenModel

HELD = 0.01
"""Fraction of its length fixed to the pole."""
SOFT = 0.1
"""Its bending rigidity over that of a tablecloth."""


def usual() -> GivenModel:
    """The flag of a scene without a model."""
    shape = Cloth(cells=(26, 20), size=(1.2, 0.8), plane="xy", origin=(0.0, 1.2, 0.0), pattern="equilateral")
    table = (
        '{ shape = "cloth", cells = [26, 20], size = [1.2, 0.8], plane = "xy", origin = [0.0, 1.2, 0.0], '
        'pattern = "equilateral" }'
    )
    return GivenModel("flag", shape.mesh(), table)


def write(model: GivenModel, up: str, word: str = "") -> str:
    """The tables of the scene: the flag points along x; `word`: its material preset."""
    edge = float(model.low[0] + HELD * model.mesh.extent[0])
    along, upwards = (number(rounded(share / model.size)) for share in (7.0, 2.4))
    waves = f'"8 * sin({along} * x + {upwards} * {up} - 16 * t)"'
    wind = ["5", "0", waves] if up == "y" else ["5", waves, "0"]
    return f"""\
{word_tables(model, word) if word else cloth_tables(model, thin(model), SOFT)}\
groups = {{ pole = {{ expression = "X < {number(edge)}" }} }}
pin = "pole" # the edge with the smallest x

# The wind, in m/s: 5 along x, and gusts across it that run down the flag as waves.
[[damping]]
name = "aerodynamic"
drag = 1.0
lift = 1.0
skin = 0.02
wind = [{", ".join(wind)}]
{"" if word else DAMPED}
# Uncomment if the flag folds so far that it meets itself; steps then take longer.
# [contact]
"""
