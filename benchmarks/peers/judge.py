"""Measures of a result for the table: energy kept, residual and position of the tip, evaluated with supple's energies.

A peer only hands over positions and velocities. The energy is that of the law which the peer has, so that a run is never
blamed for another material.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from problem import Problem

from supple.energies.membranes.membrane import Membrane
from supple.energies.solids.solid import Solid
from supple.energies.term import EnergyTerm
from supple.materials import MATERIALS
from supple.materials.membranes.laws import StVKMembrane
from supple.materials.membranes.own import OwnMembrane

SOLIDS = {
    "stvk": "stvk",
    "stable-neo-hookean": "stable-neo-hookean",
    "log-neo-hookean": "stable-neo-hookean-log",
    "neo-hookean": "neo-hookean",
}
"""Names of laws as peers give them, and supple's."""
SHEET = "mu/2*(I1 - 2) - mu*(J - 1) + (lam + mu)/2*(J - 1)^2"
"""Stable neo-Hookean in the plane."""


def elastic(problem: Problem, law: str) -> EnergyTerm:
    """The elastic energy of all bodies by a law."""
    if problem.solid:
        material = MATERIALS.find(SOLIDS[law]).from_young(problem.young, problem.poisson)
        return Solid(problem.rest, problem.cells, material)
    if law == "stvk":
        return Membrane(
            problem.rest, problem.cells, StVKMembrane(problem.young, problem.poisson), thickness=problem.thickness
        )
    mu, lam = problem.sheet
    own = OwnMembrane(SHEET, values=(("mu", mu / problem.thickness), ("lam", lam / problem.thickness)))
    return Membrane(problem.rest, problem.cells, own, thickness=problem.thickness)


def value(term: EnergyTerm, x: np.ndarray) -> float:
    return float(term.element_values(x).sum())


def gradient(term: EnergyTerm, x: np.ndarray) -> np.ndarray:
    """(n, 3), summed over the elements."""
    found = np.zeros_like(x)
    np.add.at(found, term.elements, term.element_gradients(x).reshape(*term.elements.shape, 3))
    return found


def energy_kept(problem: Problem, law: str, x: np.ndarray, v: np.ndarray) -> float | None:
    """Kinetic and elastic energy over the energy supplied: elastic at the start, and the work of gravity so far."""
    term = elastic(problem, law)
    given = value(term, problem.start) + problem.gravity * float(problem.mass @ (problem.start - x)[:, 2])
    now = 0.5 * float(problem.mass @ (v**2).sum(axis=1)) + value(term, x)
    return now / given if given > 0 else None


def residual(problem: Problem, law: str, before: tuple[np.ndarray, np.ndarray], x: np.ndarray, h: float) -> float:
    """Largest force left in the equation of backward Euler over that at the old positions: 1 is nothing solved."""
    term = elastic(problem, law)
    old, v = before
    free = np.setdiff1d(np.arange(len(x)), problem.held)
    weight = problem.mass[:, None] * np.array([0.0, 0.0, -problem.gravity])

    def left(y: np.ndarray) -> float:
        force = problem.mass[:, None] * (y - old - h * v) / h**2 + gradient(term, y) - weight
        return float(np.abs(force[free]).max())

    return left(x) / left(old)


def tip(problem: Problem, x: np.ndarray) -> list[float]:
    """Mean position of the vertices that the table shows [m]."""
    return [float(c) for c in x[problem.tip].mean(axis=0)]


def inside(problem: Problem, x: np.ndarray) -> int:
    """Number of vertices that lie in a tet of another body."""
    corners = x[problem.cells]
    edges = (corners[:, 1:] - corners[:, :1]).transpose(0, 2, 1)
    whole = np.abs(np.linalg.det(edges)) > 0
    weights = np.linalg.solve(edges[whole, None], (x - corners[whole, :1])[..., None])[..., 0]
    within = (weights.min(axis=2) > 0) & (weights.sum(axis=2) < 1)
    foreign = problem.owner[problem.cells[whole, 0]][:, None] != problem.owner
    return int((within & foreign).any(axis=0).sum())


def judged(problem: Problem, row: Mapping[str, Any], result: Mapping[str, np.ndarray]) -> dict[str, Any]:
    """Additional entries of a row."""
    if "mass" in result:  # the peer's own
        problem = replace(problem, mass=result["mass"])
    law, x, v = row["law"], result["x"], result["v"]
    found: dict[str, Any] = {"tip": tip(problem, x), "energy_kept": None, "residual": row.get("residual")}
    if problem.ground:
        found["depth"] = float(max(0.0, -x[:, 2].min()))
        found["inside"] = inside(problem, x)
    if not law:
        return found
    found["energy_kept"] = energy_kept(problem, law, x, v)
    if row["equation"] == "backward-euler" and not problem.ground:
        before = (result["before_x"], result["before_v"])
        found["residual"] = residual(problem, law, before, x, problem.step / row["substeps"])
    return found
