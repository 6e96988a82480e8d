"""All trials: shipped scenes, materials, methods, contact, linear solvers, pictures and coarsening."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from supple.runs.trials.trial import Trial

BLOCK = {"mesh": {"shape": "bar", "cells": [2, 1, 1], "size": [0.2, 0.1, 0.1]}, "pin": "left"}
SHEET = {
    "mesh": {"shape": "cloth", "cells": [2, 2], "size": [0.2, 0.2]},
    "pin": ["corner_01", "corner_11"],
    "thickness": 1e-3,
}
SOFT = {"young": 1e4, "poisson": 0.3}
STIFFNESS = 1e3
"""Value of every constant of a membrane."""
ENERGY = "(I1 - 2)^2"
"""Energy of a membrane given as a formula."""
LARGEST = "arm-on-a-bone"
"""The scene that calls most kernels: solids, cloth, contact and motion."""
PICTURE = (64, 36)
"""Pixels."""


def all_trials() -> list[Trial]:
    """All trials. The scene with most kernels is first, and the short trials are next: while one process compiles the
    first, another compiles little that both need."""
    from supple.scene.text.shipped import shipped_scenes

    first, *others = (Trial(f"scene {name}", scene=name) for name in sorted(shipped_scenes(), key=LARGEST.__ne__))
    return [first, *_of_materials(), *_of_methods(), *contact_trials(), *_of_solvers(), *_of_results(), *others]


def _of_materials() -> Iterator[Trial]:
    from supple.materials import MATERIALS, MEMBRANES

    for name in MATERIALS.names():
        yield Trial(f"material {name}", tables=_tables(BLOCK, {"name": name, **SOFT}))
    for name, cls in sorted(MEMBRANES.load().items()):
        fields: Any = dataclasses.fields(cls)  # type: ignore[arg-type]
        needed = {f.name: {"energy": ENERGY}.get(f.name, STIFFNESS) for f in fields if f.default is dataclasses.MISSING}
        yield Trial(f"material {name}", tables=_tables(SHEET, {"name": name, **needed}))


def _of_methods() -> Iterator[Trial]:
    from supple.integrators import INTEGRATORS

    springs = _tables(SHEET, {"name": "hooke-spring", "stretch": STIFFNESS})
    solid = _tables(BLOCK, {"name": "stvk", **SOFT})
    for name in INTEGRATORS.names():
        for kind, tables in (("solid", solid), ("springs", springs)):
            yield Trial(f"{name} on a {kind}", tables={**tables, "integrator": {"name": name}}, may_refuse=True)
    yield Trial("substeps in one loop", tables={**solid, "integrator": {"name": "verlet", "substeps": 2}})


def _tables(body: dict[str, Any], material: dict[str, Any]) -> dict[str, Any]:
    thin = {"thickness": 1e-3} if material["name"].endswith("membrane") else {}
    return {"time": {"step": 1e-3}, "body": [{**body, **thin, "material": material}]}


def contact_trials() -> Iterator[Trial]:
    """Scenes that meet within a few steps: their kernels are not called before."""
    coarse = ("body.0.mesh.cells=2", "body.1.mesh.cells=1")
    falling = ("body.0.initial.velocity=[0, -9, 0]", "body.4.initial.velocity=[0, -12, 0]")
    low = ("body.0.mesh.centre=[0, 0.1, 0]", "body.0.initial={velocity=[0, -1, 0]}")
    yield Trial("contact of bodies", "two-bodies", coarse, steps=8)
    yield Trial("contact of bodies with friction", "pile", falling, steps=8)
    yield Trial("friction under AVF", "sliding-block", steps=2)
    yield Trial("friction on a slope", "block-on-slope", ("integrator.name=avf",), steps=2)
    yield Trial("contact of cloth", "draped-cloth", ("body.0.mesh.cells=[6, 6]",), steps=8)
    yield Trial("contact by projection", "dropped-ball-verlet", low, steps=20)


def _of_solvers() -> Iterator[Trial]:
    for name in ("amg", "ic", "cg"):
        yield Trial(f"solver {name}", "cantilever", (f"solver.linear={name}",))


def _of_results() -> Iterator[Trial]:
    """Pictures without GL, and coarse bodies."""
    solid = _tables(BLOCK, {"name": "stvk", **SOFT})
    yield Trial("pictures", tables=solid, also=_draw)
    yield Trial("coarsening", tables=solid, also=_coarsen)


def _draw(run: Path) -> None:
    from supple.render.shown import still

    for look in ("scientific", "clay"):
        still(run, size=PICTURE, renderer="plain", look=look)


def _coarsen(_: Path) -> None:
    import numpy as np

    from supple.coarsening.cage import cage
    from supple.coarsening.coarsen import coarsen
    from supple.coarsening.fine_body import FineBody, isotropic
    from supple.mesh.shapes.solid import Bar

    mesh = Bar(cells=(2, 2, 2), size=(0.2, 0.2, 0.2)).mesh()
    stiffness = isotropic(np.full(len(mesh.tets), SOFT["young"]), SOFT["poisson"])
    body = FineBody(mesh.vertices, mesh.tets, stiffness, np.full(len(mesh.tets), 1e3))
    coarsen(body, cage(mesh.vertices, mesh.tets, (1, 1, 1)))
