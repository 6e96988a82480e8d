"""Small scenes of every kind of body, with every kind of action on it, for tests of methods."""

from __future__ import annotations

import copy
from typing import Any

Tables = dict[str, Any]

SOLID: Tables = {
    "name": "a",
    "mesh": {"shape": "bar", "cells": [2, 1, 1], "size": [0.2, 0.1, 0.1]},
    "material": {"name": "stable-neo-hookean", "young": 1e4, "poisson": 0.3},
    "density": 1000.0,
    "initial": {"translate": [0.0, 0.02, 0.0], "velocity": [0.3, -0.5, 0.1]},
}
SHEET: Tables = {
    "name": "a",
    "mesh": {"shape": "cloth", "cells": [2, 2], "size": [0.2, 0.2], "plane": "xz"},
    "material": {"name": "stvk-membrane", "young": 1e4, "poisson": 0.3},
    "thickness": 1e-3,
    "density": 1000.0,
    "bending": {"rigidity": 1e-4},
    "initial": {"translate": [0.0, 0.02, 0.0], "velocity": [0.3, -0.5, 0.1]},
}
BAG: Tables = {
    "name": "a",
    "mesh": {"shape": "sphere", "radius": 0.1, "subdivisions": 1, "centre": [0.0, 0.12, 0.0]},
    "material": {"name": "rubber-membrane", "young": 1e5},
    "thickness": 1e-3,
    "density": 1000.0,
    "initial": {"velocity": [0.3, -0.5, 0.1]},
}
CHAIN: Tables = {
    "name": "a",
    "mesh": {"shape": "rope", "segments": 3, "length": 0.3},
    "material": {"name": "hooke-spring", "stretch": 50.0},
    "mass": 0.1,
    "initial": {"translate": [0.0, 0.02, 0.0], "velocity": [0.3, -0.5, 0.1]},
}
BODIES: dict[str, Tables] = {
    "solid": SOLID,
    "corotational": SOLID | {"material": {"name": "corotational", "young": 1e4, "poisson": 0.3}},
    "linear": SOLID | {"material": {"name": "linear", "young": 1e4, "poisson": 0.3}},
    "springs in a solid": SOLID | {"material": {"name": "hooke-spring", "stretch": 50.0, "altitude": 50.0}},
    "pinned solid": SOLID | {"pin": "left"},
    "points": SOLID | {"points": {"per_cell": 2, "seed": 1}},
    "riding solid": SOLID | {"points": "vertices"},
    "solid that keeps its volume": SOLID | {"volume": "kept"},
    "solid with one volume": SOLID | {"volume": {"stiffness": 1e4, "whole": True}},
    "solid with volumes": SOLID | {"volume": 1e4},
    "riding solid with one volume": SOLID | {"points": "vertices", "volume": {"stiffness": 1e4, "whole": True}},
    "sheet": SHEET,
    "shell": SHEET | {"bending": {"rigidity": 1e-4, "model": "dihedral"}},
    "sheet with areas": SHEET | {"area": 10.0},
    "sheet with one area": SHEET | {"area": {"stiffness": 10.0, "whole": True}},
    "riding sheet": SHEET | {"points": "vertices"},
    "riding sheet with one area": SHEET | {"points": "vertices", "area": {"stiffness": 10.0, "whole": True}},
    "gas in a bag": BAG | {"pressure": {"law": "gas", "pressure": 100.0}},
    "riding bag of gas": BAG | {"points": "vertices", "pressure": {"law": "gas", "pressure": 100.0}},
    "water in a bag": BAG | {"volume": {"stiffness": 1e4, "whole": True}},
    "chain": CHAIN,
}
GROUND: Tables = {"name": "ground", "shape": "half-space"}
AROUND: dict[str, Tables] = {
    "nothing": {},
    "barrier": {"obstacle": [GROUND | {"law": "barrier"}]},
    "friction": {"obstacle": [GROUND | {"law": "barrier", "friction": 0.3}]},
    "penalty": {"obstacle": [GROUND | {"law": "cubic"}]},
    "projection": {"obstacle": [GROUND | {"law": "projection", "friction": 0.3}]},
    "velocity": {"obstacle": [GROUND | {"law": "velocity"}]},
    "repulsion": {"obstacle": [GROUND | {"law": "repulsion"}]},
    "ball": {"obstacle": [{"name": "ball", "shape": "sphere", "centre": [0.0, -0.2, 0.0], "radius": 0.2}]},
    "self-contact": {"contact": {}},
    "rayleigh": {"damping": [{"name": "rayleigh", "stiffness": 0.01, "mass": 0.1}]},
    "viscosity": {"damping": [{"name": "viscosity", "shear": 1.0}]},
    "structure-preserving": {"damping": [{"name": "structure-preserving", "tau": 0.003}]},
    "drag": {"damping": [{"name": "drag", "rate": 0.1}]},
    "plane": {"constraint": [{"kind": "plane", "vertices": "a", "normal": [0, 0, 1]}]},
    "rods": {"constraint": [{"kind": "rods", "vertices": "a"}]},
    "soft pins": {"energy": [{"name": "soft-pin", "vertices": "a", "stiffness": 10.0}]},
    "wind": {"field": [{"name": "wind", "strength": 3.0}], "damping": [{"name": "aerodynamic"}]},
    "attractor": {"field": [{"name": "attractor", "strength": 1.0}]},
    "swirl": {"field": [{"name": "swirl", "strength": 1.0}]},
}


def scene(body: str, around: str, integrator: Tables) -> Tables:
    """A body with something around it, for a step."""
    tables = {
        "title": f"{body} with {around}",
        "time": {"step": 0.005, "duration": 0.005},
        "integrator": integrator,
        "body": [BODIES[body]],
        **AROUND[around],
    }
    return copy.deepcopy(tables)
