"""The workloads as problems: bar, cloth, pile and stretch, made with supple's meshes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from sys import path

import numpy as np
from problem import Problem

from supple.mesh.measure import lumped_mass
from supple.mesh.shapes.solid import Bar
from supple.mesh.shapes.thin import Cloth
from supple.scene.tables.scene import Scene
from supple.scene.text.load import load_scene

path.append(str(Path(__file__).parent.parent))
from bars import CELLS, STEP

BARS = {**CELLS, "tiny": (8, 2, 2), "coarse": (16, 4, 4)}
SHEETS = {"tiny": 8, "small": 40, "middle": 80}
DENSITY = 1000.0
"""[kg/m^3]"""


def bar(size: str, stretch: float = 1.0, gravity: float = 9.81, steps: int = 20, workload: str = "bar") -> Problem:
    """The hanging bar of `bars.py`."""
    mesh = Bar(cells=BARS[size], size=(4.0, 1.0, 1.0)).mesh()
    X = mesh.vertices
    return Problem(
        workload,
        size,
        rest=X,
        start=X * np.array([stretch, 1.0, 1.0]),
        cells=mesh.tets,
        mass=lumped_mass(mesh, density=DENSITY),
        held=mesh.groups["left"],
        tip=mesh.groups["right"],
        owner=np.zeros(len(X), dtype=int),
        young=1e6,
        poisson=0.4,
        thickness=0.0,
        gravity=gravity,
        step=STEP,
        steps=steps,
        ground=False,
        friction=0.0,
        gap=0.0,
    )


def stretched(size: str) -> Problem:
    """The same bar without gravity, stretched by half and let go."""
    return bar(size, stretch=1.5, gravity=0.0, steps=100, workload="stretch")


def cloth(size: str) -> Problem:
    """A sheet of 1 m that lies flat, held at two neighbouring corners, and swings down; membrane without bending."""
    cells, thickness = SHEETS[size], 1e-3
    mesh = Cloth(cells=(cells, cells), size=(1.0, 1.0), plane="xy").mesh()
    X = mesh.vertices
    return Problem(
        "cloth",
        size,
        rest=X,
        start=X.copy(),
        cells=mesh.triangles,
        mass=_sheet_mass(X, mesh.triangles, 200.0 * thickness),
        held=np.concatenate([mesh.groups["corner_00"], mesh.groups["corner_01"]]),
        tip=mesh.groups["right"],
        owner=np.zeros(len(X), dtype=int),
        young=1e5,
        poisson=0.3,
        thickness=thickness,
        gravity=9.81,
        step=STEP,
        steps=20,
        ground=False,
        friction=0.0,
        gap=0.0,
    )


def _sheet_mass(X: np.ndarray, triangles: np.ndarray, per_area: float) -> np.ndarray:
    a, b, c = (X[triangles[:, k]] for k in range(3))
    third = per_area * np.linalg.norm(np.cross(b - a, c - a), axis=1) / 6
    return np.bincount(triangles.ravel(), weights=np.repeat(third, 3), minlength=len(X))


def upright(x: np.ndarray) -> np.ndarray:
    """From a scene where y points up to z."""
    return np.stack([x[:, 0], -x[:, 2], x[:, 1]], axis=1)


def pile_scene() -> Scene:
    """The shipped scene, on all cores."""
    return load_scene("pile", ["solver.threads=0"])


def pile(size: str) -> Problem:
    """The twenty soft bodies of the scene `pile`, which fall on a floor and on each other."""
    scene = pile_scene()
    built = scene.make().assemble()
    tets = built.mesh.tets
    X = upright(built.state.x)  # bodies are turned and moved, but not strained: their place is as good a rest
    return Problem(
        "pile",
        size,
        rest=X,
        start=X.copy(),
        cells=tets,
        mass=built.system.mass,
        held=np.empty(0, dtype=int),
        tip=np.arange(len(X)),
        owner=_owners(len(X), tets),
        young=5e4,
        poisson=0.3,
        thickness=0.0,
        gravity=9.81,
        step=scene.time.step,
        steps=35,
        ground=True,
        friction=0.3,
        gap=0.004,
    )


def _owners(count: int, tets: np.ndarray) -> np.ndarray:
    """Number of the connected part of each vertex."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    rows, columns = tets[:, [0, 0, 0]].ravel(), tets[:, 1:].ravel()
    graph = coo_array((np.ones(len(rows)), (rows, columns)), shape=(count, count))
    return connected_components(graph, directed=False)[1]


WORKLOADS: dict[str, Callable[[str], Problem]] = {"bar": bar, "cloth": cloth, "pile": pile, "stretch": stretched}
SIZES = {"bar": ("small", "middle"), "cloth": ("small",), "pile": ("small",), "stretch": ("coarse",)}
"""In which each workload runs. The release is violent, and takes a hundred steps: a coarse bar is enough for it."""
