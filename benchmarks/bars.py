"""The bars that the benchmarks share: 4 x 1 x 1 m, 5 tets a cell, clamped at x = 0, hanging under gravity along -z."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from supple.constraints.motion import Hold, Motion, Prescribed
from supple.dynamics.state import State
from supple.dynamics.system import System, build_system
from supple.energies.gravity import Gravity
from supple.energies.solids.solid import Solid
from supple.linalg.threads import use_threads
from supple.materials import MATERIALS
from supple.mesh.measure import lumped_mass
from supple.mesh.shapes.solid import Bar

CELLS = {
    "small": (28, 5, 5),
    "medium": (24, 8, 8),
    "middle": (48, 11, 11),
    "large": (96, 20, 20),
    "huge": (160, 35, 36),
}
STEP = 1 / 30
"""[s]"""


@dataclass(frozen=True)
class BarProblem:
    """A bar ready to be simulated."""

    system: System
    state: State
    tets: int


def bar(
    size: str, material: str = "stvk", gravity: float = 9.81, stretch: float = 1.0, clamped: bool = True
) -> BarProblem:
    """Density 1000 kg/m^3, Young 1e6 Pa, Poisson 0.4."""
    mesh = Bar(cells=CELLS[size], size=(4.0, 1.0, 1.0)).mesh()
    mass = lumped_mass(mesh, density=1000.0)
    X = mesh.vertices
    terms = [Solid(X, mesh.tets, MATERIALS.find(material).from_young(1e6, 0.4))]
    if gravity:
        terms.append(Gravity(mass, np.array([0.0, 0.0, -gravity])))
    held = mesh.groups["left"]
    motion = Motion((Prescribed(held, X[held].copy(), Hold()),)) if clamped else Motion()
    x = X * np.array([stretch, 1.0, 1.0])
    return BarProblem(build_system(X, mass, terms, motion), State(0.0, x, np.zeros_like(x)), len(mesh.tets))


def arguments(description: str, sizes: Sequence[str] = ("small", "middle", "large")) -> argparse.Namespace:
    """Options that all benchmarks take."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--sizes", default=",".join(sizes), help="small, middle, large, huge")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--backend", default="auto")
    parser.add_argument("--json", action="store_true", help="one JSON document on the last line")
    options = parser.parse_args()
    options.sizes = options.sizes.split(",")
    use_threads(options.threads)
    return options


def show(rows: list[dict[str, object]], as_json: bool) -> None:
    """A table, or JSON on the last line."""
    if not rows:
        return
    keys = list(rows[0])
    for row in [dict(zip(keys, keys, strict=True)), *rows]:
        print(
            "  ".join(f"{row[k]:.4g}".rjust(14) if isinstance(row[k], float) else str(row[k]).rjust(14) for k in keys)
        )
    if as_json:
        print(json.dumps(rows))
