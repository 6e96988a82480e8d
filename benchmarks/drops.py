"""Twenty drops of irregular bodies on all kinds of obstacles, otherwise with defaults.

Reports Newton iterations per step, halved steps, steps without the energy conservation of AVF, and the residual of the ledger.

`--set KEY=VALUE` changes a value in all of them, to compare the solver's choices.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from blends import blend
from supple.errors import SuppleError
from supple.loop import simulate
from supple.mesh.doctor import drop_unreferenced
from supple.mesh.formats import write_mesh
from supple.mesh.mesh import Mesh
from supple.mesh.shapes.solid import Bar
from supple.mesh.tetrahedralise import tetrahedralise
from supple.mesh.topology import boundary_triangles
from supple.scene.text.load import read_scene
from supple.solvers.tools import StepTools

BALLS = np.array(
    [[-0.05, 0.06, 0.0, 0.05], [0.05, 0.05, 0.01, 0.045], [0.0, 0.11, 0.02, 0.04], [0.01, 0.05, 0.06, 0.03]]
)
RING = [(0.08 * np.cos(a), 0.03, 0.08 * np.sin(a), 0.025) for a in np.linspace(0.0, 2 * np.pi, 24, endpoint=False)]
FRICTION = 0.4

OBSTACLES: dict[str, dict[str, Any]] = {
    "stairs": {"shape": "stairs", "origin": [-0.2, -0.2, 0.0], "steps": 3, "rise": 0.08, "run": 0.1, "width": 0.6},
    "box": {"shape": "box", "centre": [0.0, -0.1, 0.0], "size": [0.08, 0.1, 0.4], "turn": [0.0, 0.2, 0.6]},
    "capsule": {"shape": "capsule", "start": [-0.3, -0.08, -0.05], "end": [0.3, -0.08, 0.05], "radius": 0.06},
    "floor": {"mesh": {"shape": "cloth", "cells": [6, 6], "size": [0.8, 0.8], "origin": [-0.4, -0.02, -0.4]}},
    "paddle": {
        "mesh": {"shape": "bar", "cells": [2, 1, 2], "size": [0.3, 0.03, 0.3], "origin": [-0.15, -0.08, -0.15]},
        "motion": {"translate": {"velocity": [0.0, 0.6, 0.0]}},
    },
}


@dataclass(frozen=True)
class Drop:
    """One case."""

    body: str
    onto: str
    young: float
    friction: float
    rate: int
    """Steps per second."""
    material: str = "stable-neo-hookean"
    damping: str = ""
    speed: float = 1.5
    """Downwards at the start [m/s]."""


DROPS = (
    Drop("blend", "stairs", 5e4, 0.4, 60),
    Drop("blend", "stairs", 5e4, 0.4, 60, damping="structure-preserving"),
    Drop("blend", "box", 1e5, 0.8, 60),
    Drop("blend", "capsule", 1e4, 0.4, 120),
    Drop("blend", "floor", 5e4, 0.4, 60, damping="rayleigh"),
    Drop("blend", "paddle", 5e4, 0.4, 60),
    Drop("torus", "stairs", 1e5, 0.4, 60),
    Drop("torus", "box", 1e4, 0.2, 24),
    Drop("torus", "capsule", 1e6, 0.0, 240, "corotated"),
    Drop("torus", "floor", 1e5, 0.4, 60),
    Drop("torus", "torus", 1e5, 0.4, 60),
    Drop("cube", "stairs", 1e6, 0.6, 60, "stvk"),
    Drop("cube", "box", 1e5, 0.0, 24, "stvk"),
    Drop("cube", "capsule", 1e7, 0.4, 120, "corotated"),
    Drop("cube", "floor", 1e5, 0.8, 60, "corotated"),
    Drop("cube", "cube", 1e5, 0.4, 60, damping="rayleigh"),
    Drop("bar", "stairs", 1e5, 0.4, 60, "stvk", damping="rayleigh"),
    Drop("bar", "box", 1e4, 0.4, 60),
    Drop("bar", "capsule", 1e5, 0.8, 30),
    Drop("bar", "paddle", 1e6, 0.2, 120, "corotated"),
)


def surface(name: str) -> Mesh:
    """The closed surface of a body."""
    if name in ("blend", "torus"):
        return blend(BALLS if name == "blend" else np.array(RING), cells=48)
    size, cells = ((0.1, 0.1, 0.1), (3, 3, 3)) if name == "cube" else ((0.4, 0.05, 0.05), (12, 2, 2))
    mesh = Bar(cells=cells, size=size, origin=(-size[0] / 2, 0.0, -size[2] / 2)).mesh()
    return drop_unreferenced(Mesh(mesh.vertices, triangles=boundary_triangles(mesh.tets)))


def filled(name: str) -> Path:
    """A file with the body in irregular tets; two runs of fTetWild give different meshes, so it is kept."""
    file = Path(tempfile.gettempdir()) / f"supple-drop-{name}.msh"
    if not file.exists():
        write_mesh(tetrahedralise(surface(name), edge_length=0.03, envelope=4e-3), file)
    return file


def scene(drop: Drop) -> dict[str, Any]:
    """The tables of a case."""
    h = 1 / drop.rate
    body = {
        "name": "body",
        "mesh": {"file": str(filled(drop.body))},
        "material": {"name": drop.material, "young": drop.young, "poisson": 0.4},
        "initial": {
            "translate": [0.0, 0.06, 0.0],
            "rotate": {"axis": [0.3, 0.2, 1.0], "angle": 0.4},
            "velocity": [0.2, -drop.speed, 0.0],
        },
    }
    tables: dict[str, Any] = {"time": {"step": h, "duration": 0.4}, "integrator": {"name": "avf"}, "body": [body]}
    if drop.onto in OBSTACLES:
        other = {"name": drop.onto, **OBSTACLES[drop.onto]}
        if "shape" in other:
            other["friction"] = drop.friction
        else:
            tables["contact"] = {"friction": drop.friction}
        tables["obstacle"] = [other]
    else:
        below = {**body, "name": "below", "initial": {"translate": [0.02, -0.16, 0.01], "velocity": [0.0, 0.5, 0.0]}}
        tables["body"] = [body, below]
        tables["contact"] = {"friction": drop.friction}
    if drop.damping == "structure-preserving":
        tables["damping"] = [{"name": drop.damping, "tau": 2e-3}]
    elif drop.damping:
        tables["damping"] = [{"name": drop.damping, "stiffness": h / 8}]
    return tables


def measure(drop: Drop, settings: list[str]) -> dict[str, Any]:
    """Figures of one case."""
    checked = read_scene(scene(drop), Path.cwd(), "drop", [f"solver.threads={1}", *settings])
    body = checked.make().assemble()
    tools = StepTools(body.system, checked.solver.make())
    its, pieces, halved, exceptions, residual, scale, reason = [], 0, 0, 0, 0.0, 0.0, ""
    began = time.process_time()
    try:
        run = simulate(body.system, checked.integrator.make(), body.state, checked.time.step, checked.time.steps, tools)
        for frame in run:
            pieces += frame.solve.iterations
            halved, exceptions = halved + frame.rejected, exceptions + frame.exceptional
            residual, scale = max(residual, abs(frame.ledger.residual)), max(scale, frame.ledger.energies.scale)
            if frame.whole and frame.step:
                its.append(pieces)
                pieces = 0
    except SuppleError as problem:
        reason = str(problem)
    tools.close()
    return {
        "case": " ".join(
            filter(
                None, (drop.body, "on", drop.onto, f"E {drop.young:.0e}", f"mu {drop.friction:g}", f"1/{drop.rate} s")
            )
        )
        + "".join(f", {word}" for word in (drop.material, drop.damping) if word),
        "tets": len(body.mesh.tets),
        "median_iterations": float(np.median(its)) if its else 0.0,
        "worst_iterations": max(its, default=0),
        "halved": halved,
        "exceptions": exceptions,
        "residual": residual / scale,
        "cpu_seconds": time.process_time() - began,
        "failed": reason,
    }


def measured(settings: list[str], only: list[int]) -> Iterator[dict[str, Any]]:
    for k, drop in enumerate(DROPS):
        if not only or k in only:
            yield measure(drop, settings)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="a change to every scene")
    parser.add_argument("--only", type=int, action="append", default=[], help="number of a case; repeats")
    parser.add_argument("--json", action="store_true", help="one JSON document on the last line")
    options = parser.parse_args()
    rows = []
    for row in measured(options.set, options.only):
        rows.append(row)
        print(
            f"{row['case']:75} {row['tets']:6} tets, its {row['median_iterations']:5.0f} {row['worst_iterations']:5} "
            f"halved {row['halved']:3} exceptions {row['exceptions']:2} residual {row['residual']:.1e} "
            f"{row['cpu_seconds']:6.1f} s {row['failed'][:200]}",
            flush=True,
        )
    if options.json:
        print(json.dumps(rows))


if __name__ == "__main__":
    main()
