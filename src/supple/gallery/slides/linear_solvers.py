"""Sparse factorisation against conjugate gradients, for increasing body size and step size."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

import supple as sp
from supple.gallery.desk import Desk
from supple.gallery.drawing.curves import curves
from supple.gallery.panel import PANELS, Panel
from supple.gallery.verdicts import Figure, at_least, at_most
from supple.scene.text.load import load_scene
from supple.solvers.options import SolverOptions
from supple.types import Array

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

SOLVERS = {
    "direct": SolverOptions(reuse="never", threads=1),
    "old factors": SolverOptions(reuse="always", threads=1),
    "cg": SolverOptions(linear="cg", threads=1),
}
"""Factorisation in every iteration, reused factors as preconditioner (the default for large bodies), and no factors."""
H = 1 / 240
STEPS = (1 / 1000, 1 / 240, 1 / 60, 1 / 15)
Table = dict[str, list[list[float]]]
"""Rows of `_measured` for each solver."""


@PANELS("L5")
class DirectAgainstIterative(Panel):
    title = "Direct against iterative solvers"
    claim = (
        "Direct solvers are robust and fast on small bodies. Iterative solvers scale better and are "
        "faster on large ones."
    )
    setup = "swinging bar (E = 1e5 Pa) of 4n x n x n cells, n = 2 to 12 (full: 20), backward Euler at 1/240 s and other steps"
    command = "supple run cantilever --set solver.linear=cg"
    alone = True

    def study(self, desk: Desk) -> Iterable[Figure]:
        cells = desk.size((2, 4, 6, 9, 12), (2, 4, 6, 9, 12, 16, 20))
        by_size = {name: [_kept(desk, name, n, H) for n in cells] for name in SOLVERS}
        by_step = {name: [_kept(desk, name, 6, h) for h in STEPS] for name in SOLVERS}
        desk.plot("times", lambda canvas: _draw(canvas, by_size, by_step), CAPTION, size=(9.2, 3.5), wide=True)
        tips = np.array([[row[3] for row in rows] for rows in by_size.values()])
        yield Figure(
            "all solvers: largest difference in final positions",
            float(np.ptp(tips, axis=0).max()),
            at_most(1e-6),
            "m",
        )
        powers = {name: _power(rows) for name, rows in by_size.items()}
        for name, power in powers.items():
            yield Figure(f"{name}: exponent of the unknowns in the time", power)
        yield Figure("exponent of direct minus that of cg", powers["direct"] - powers["cg"], at_least(0.05), timed=True)
        first, last = ({name: rows[k][1] for name, rows in by_size.items()} for k in (0, -1))
        yield Figure("time of direct relative to cg, smallest body", first["direct"] / first["cg"])
        yield Figure(
            "time of direct relative to cg, largest body", last["direct"] / last["cg"], at_least(1.0), timed=True
        )
        yield Figure("time of direct relative to old factors, largest body", last["direct"] / last["old factors"])
        work = [row[2] for row in by_step["cg"]]
        yield Figure("cg iterations at the longest step relative to the shortest", work[-1] / work[0], at_least(2.0))


CAPTION = "Left: scaling with body size. Right: long steps slow down conjugate gradients only."


def _draw(canvas: Canvas, by_size: Table, by_step: Table) -> None:
    left, right = canvas.subplots(1, 2)
    sizes = {name: (np.array([r[0] for r in rows]), _ms(rows)) for name, rows in by_size.items()}
    curves(left, sizes, "unknowns", "time per Newton iteration [ms]", log="xy", title=f"step of 1/{1 / H:.0f} s")
    steps = {name: (np.array(STEPS), _ms(rows)) for name, rows in by_step.items()}
    title = f"{by_step['cg'][0][0]:,.0f} unknowns"
    curves(right, steps, "step [s]", "time per Newton iteration [ms]", log="xy", title=title)


def _ms(rows: list[list[float]]) -> Array:
    return np.array([1e3 * row[1] for row in rows])


def _power(rows: list[list[float]]) -> float:
    """Exponent of the time in the number of unknowns, without the smallest body."""
    unknowns, seconds = np.array(rows[1:])[:, :2].T
    return float(np.polyfit(np.log(unknowns), np.log(seconds), 1)[0])


def _kept(desk: Desk, name: str, n: int, h: float) -> list[float]:
    return desk.kept(f"{name}-{n}-{1 / h:.0f}".replace(" ", "-"), lambda: _measured(n, h, SOLVERS[name]))


def _measured(n: int, h: float, options: SolverOptions) -> list[float]:
    """Unknowns, seconds per Newton iteration (minimum over the steps), CG iterations per solve, height of the tip [m]."""
    settings = [f"body.0.mesh.cells=[{4 * n}, {n}, {n}]", "body.0.material.young=1e5", "body.0.density=1000.0"]
    model = load_scene("cantilever", settings).make().assemble()
    frames = sp.simulate(model, sp.BackwardEuler(), h=h, steps=4, solver=options)
    taken, work, newton = [], 0, 0
    next(frames)
    for k in range(4):
        began = time.perf_counter()
        frame = next(frames)
        if k:  # the first step includes the analysis of the sparsity pattern
            taken.append((time.perf_counter() - began) / frame.solve.iterations)
            work, newton = work + frame.solve.cg_iterations, newton + frame.solve.iterations
    tip = float(frame.state.x[model.mesh.group("right"), 1].mean())
    return [3.0 * len(model.system.free), min(taken), work / newton, tip]
