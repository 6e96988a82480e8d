"""Scenes of a mesh that falls on a cloud, for the tests."""

from pathlib import Path

from supple.scene.tables.scene import Scene
from supple.scene.text.load import read_scene

WATER = {
    "name": "water",
    "mesh": {"shape": "bar", "cells": [1, 1, 1], "size": [0.2, 0.1, 0.2]},
    "points": {"seed": 3},
    "material": {"name": "stable-neo-hookean", "young": 5e4, "poisson": 0.3},
}
JELLY = {
    "name": "jelly",
    "mesh": {"shape": "bar", "cells": [2, 2, 2], "size": [0.1, 0.1, 0.1], "origin": [0.05, 0.15, 0.05]},
    "points": "vertices",
    "material": {"name": "stvk", "young": 2e4, "poisson": 0.3},
    "initial": {"velocity": [0.0, -2.0, 0.0]},
}
FLOOR = {"shape": "half-space", "law": "separate", "friction": 0.4}
SHEET = {
    "name": "jelly",
    "mesh": {"shape": "cloth", "cells": [4, 4], "size": [0.2, 0.2], "origin": [0.0, 0.15, 0.0]},
    "points": "vertices",
    "thickness": 1e-3,
    "material": {"name": "stvk-membrane", "young": 2e5, "poisson": 0.3},
    "bending": {"rigidity": 1e-4},
    "initial": {"velocity": [0.0, -2.0, 0.0]},
}


def scene(
    jelly: dict | None = None, water: dict | None = None, obstacle: dict = FLOOR, integrator: dict | None = None, **tables: object
) -> Scene:  # fmt: skip
    data = {
        "time": {"step": 0.01, "duration": 0.04},
        "integrator": {"name": "mpm", "cell": 0.1, **(integrator or {})},
        "body": [{**WATER, **(water or {})}, {**JELLY, **(jelly or {})}],
        "obstacle": [obstacle],
        **tables,
    }
    return read_scene(data, Path.cwd())
