"""Tiny scenes for tables that no shipped scene has."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from fuzz.mutations import Path as Keys
from fuzz.mutations import Put
from fuzz.seeds import Seed

BAR = {"shape": "bar", "cells": [2, 1, 1], "size": [0.2, 0.1, 0.1]}
SOFT = {"name": "stvk", "young": 1e4, "poisson": 0.3}
SPIN = [3.0, 20.0, 5.0]
"""It strains bodies, so their materials have an effect."""
SOLID: dict[str, Any] = {
    "time": {"step": 0.01, "duration": 0.03},
    "body": [
        {
            "name": "bar",
            "mesh": BAR,
            "material": SOFT,
            "density": 1000.0,
            "initial": {"velocity": [0.5, -1.0, 0.2], "spin": SPIN},
        }
    ],
}
EVERYTHING: dict[str, Any] = {
    "title": "A bar",
    "description": "It flies.",
    "world": {"up": "y", "gravity": 9.81},
    "integrator": {"name": "bdf2"},
    "solver": {"tolerance": 1e-9},
    "record": {"fps": 100},
    "damping": [{"name": "rayleigh", "stiffness": 1e-3}],
    **SOLID,
}
POINTS: dict[str, Any] = {
    "time": {"step": 0.002, "duration": 0.006},
    "integrator": {"name": "mpm", "cell": 0.1},
    "body": [{**SOLID["body"][0], "points": {"per_cell": 8}}],
}
SPRINGS: dict[str, Any] = {
    "time": {"step": 0.001, "duration": 0.003},
    "integrator": {"name": "adaptive-explicit"},
    "body": [
        {
            "mesh": {"shape": "rope", "segments": 2, "length": 0.3},
            "material": {"name": "hooke-spring", "stretch": 100.0},
            "mass": 0.1,
            "pin": "start",
        }
    ],
}
SHEET: dict[str, Any] = {
    **SOLID,
    "body": [
        {
            "mesh": {"shape": "cloth", "cells": [2, 2], "size": [0.2, 0.2]},
            "material": {"name": "stvk-membrane", "young": 1e5, "poisson": 0.3},
            "thickness": 1e-3,
            "density": 200.0,
        }
    ],
}
METAL = {"name": "von-mises", "young": 1e5, "poisson": 0.3, "yield_stress": 1e3}
MOVED: Keys = ("body", 0, "motion")

CHANGES: tuple[tuple[dict[str, Any], Keys, Any], ...] = (
    *((POINTS, ("integrator", "transfer"), {"name": name}) for name in ("apic", "asflip", "affine-flip", "pic")),
    (POINTS, ("integrator", "transfer"), {"name": "flip", "blend": 0.95}),
    (POINTS, ("integrator", "budget"), {"cap": 2.0}),
    (POINTS, ("body", 0, "material"), METAL),
    *((SPRINGS, ("integrator", "rule"), {"name": name}) for name in ("acceleration", "constant", "phase")),
    (SPRINGS, ("integrator",), {"name": "adaptive-naive", "rule": {"name": "switching"}}),
    (SOLID, ("field",), [{"name": "air", "wind": [1.0, 0.0, 0.5]}]),
    (SOLID, ("field",), [{"name": "force", "force": [1.0, 0.0, 0.5], "region": {"box": [[-1.0] * 3, [1.0] * 3]}}]),
    (SOLID, ("field",), [{"name": "swirl", "lift": 1.0, "inflow": 0.5}]),
    (SOLID, ("damping",), [{"name": "drag", "rate": 2.0}]),
    (SPRINGS | {"integrator": {"name": "avf"}}, ("damping",), [{"name": "dashpot", "c": 2.0}]),
    (SOLID, MOVED, [{"group": "left", "keyframes": [
        {"time": 0.0, "offset": [0.0, 0.0, 0.0]},
        {"time": 0.1, "rotation": {"axis": [1.0, 0.0, 0.0], "angle": 0.5}, "offset": [0.1, 0.0, 0.0]},
    ]}]),
    (SOLID, MOVED, [{"group": "left", "rotate": {"axis": [1.0, 0.0, 0.0], "centre": [0.0, 0.0, 0.0], "rate": 1.0}}]),
    (SOLID, MOVED, [{"group": "left", "translate": {"velocity": [0.1, 0.0, 0.0]}}]),
    (SOLID, ("obstacle",), [{"shape": "box", "centre": [0.1, -0.13, 0.05], "size": [0.4, 0.2, 0.4], "friction": 0.3}]),
    (SOLID, ("obstacle",), [
        {"shape": "capsule", "start": [0.0, -0.12, 0.05], "end": [0.2, -0.12, 0.05], "radius": 0.1, "friction": 0.3}]),
    (SOLID, ("direction",), {"stiffer": 2.0, "settle": 0.5}),
    (SOLID, ("integrator", "adaptive"), {"tolerance": 1e-3}),
    (SOLID, ("body", 0, "volume"), {"stiffness": 1e4}),
    (SOLID, ("constraint",), [{"kind": "volume", "vertices": "bar"}]),
    (SHEET, ("constraint",), [{"kind": "plane", "vertices": "body0.corner_00", "normal": [0.0, 1.0, 0.0]}]),
    (SHEET, ("constraint",), [
        {"kind": "sphere", "vertices": "body0.corner_00", "centre": [0.0, 0.0, 0.3], "radius": 0.3}]),
    (SHEET, ("constraint",), [{"kind": "surface", "vertices": "body0.corner_00", "equation": "y + x*z"}]),
    (SOLID, ("limits",), {"vertices": 1000, "elements": 1000, "steps": 100, "frames": 100, "recording": 1.0}),
    (SPRINGS | {"integrator": {"name": "avf"}}, ("body", 0, "material"), {"name": "rod", "young": 1e6, "radius": 0.005}),
    (SOLID, ("body", 0, "mesh"), {"shape": "slab", "size": [0.2, 0.05, 0.1], "rows": 1, "resolution": 1}),
    (SHEET, ("body", 0, "mesh"), {"shape": "tube", "radius": 0.1, "length": 0.2, "cells": [6, 2]}),
    (SOLID, ("body", 0, "regions"), [{"voxels": {"file": "image.npy", "materials": {"0": {}, "1": {"young": 1e5}}}}]),
    (SOLID, ("body", 0, "material"), {"name": "stvk", "lam": 1e4, "mu": {"file": "mu.npy"}}),
)  # fmt: skip
"""A scene, the path of a table and the table."""


def own_scenes() -> list[Seed]:
    """All of them; the files of all lie in one folder."""
    files = tuple(sorted(_files().iterdir()))
    found = [Seed("own bar", EVERYTHING)]
    for base, path, value in CHANGES:
        tables = {**base, "integrator": dict(base.get("integrator", {"name": "avf"}))}
        tables["body"] = [{**tables["body"][0], "material": dict(tables["body"][0]["material"])}]
        Put(path, value).apply(tables)
        found.append(Seed("own " + ".".join(map(str, path)), tables, files))
    tagged = {**SOLID, "body": [{**SOLID["body"][0], "mesh": {"file": "tagged.vtu"}}]}
    tagged["body"][0]["regions"] = [{"tags": {"array": "part", "materials": {"0": {}, "1": {"young": 1e5}}}}]
    found.append(Seed("own tags", tagged, files))
    coarse = {**SOLID, "body": [{"name": "bar", "mesh": {"coarse": "bar.npz"}, "material": {"name": "coarse"}}]}
    return [*found, Seed("own coarse", coarse, files)]


@cache
def _files() -> Path:
    """A voxel image, moduli of tets, a mesh with parts and a coarse body."""
    import meshio
    import numpy as np

    from supple.coarsening.cage import cage
    from supple.coarsening.coarsen import coarsen
    from supple.coarsening.fine_body import FineBody, isotropic
    from supple.mesh.shapes.solid import Bar

    folder = Path(tempfile.mkdtemp(prefix="supple-fuzz-ladders-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    mesh = Bar(cells=(2, 1, 1), size=(0.2, 0.1, 0.1)).mesh()
    count = len(mesh.tets)
    np.save(folder / "image.npy", np.array([0, 1]).reshape(2, 1, 1))
    np.save(folder / "mu.npy", np.linspace(1e4, 2e4, count))
    parts = {"part": [np.arange(count) % 2]}
    meshio.Mesh(mesh.vertices, [("tetra", mesh.tets)], cell_data=parts).write(folder / "tagged.vtu")
    body = FineBody(mesh.vertices, mesh.tets, isotropic(np.full(count, 1e4), 0.3), np.full(count, 1e3))
    coarsen(body, cage(mesh.vertices, mesh.tets, (1, 1, 1))).save(folder / "bar.npz")
    return folder
