"""A run with about a million unknowns."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

import supple as sp
from supple.gallery.desk import Desk
from supple.gallery.panel import PANELS, Panel
from supple.gallery.verdicts import Figure, at_least, at_most

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

CELL = 0.05
H, STEPS = 1 / 30, 3


@PANELS("A-c8")
class Million(Panel):
    title = "A million unknowns"
    claim = "Implicit steps of one frame each remain practical for bodies with about a million unknowns."
    setup = (
        "beam of 288,000 tets, 202 thousand unknowns, backward Euler, 3 steps of 1/30 s; full: 998 thousand unknowns"
    )
    command = "supple gallery A-c8 --full"
    alone = True
    threads = 2

    def study(self, desk: Desk) -> Iterable[Figure]:
        cells = desk.size((400, 12, 12), (1970, 12, 12))
        found = desk.kept("steps", lambda: _steps(cells))
        steps, unknowns = np.array(found["steps"]), found["unknowns"]

        def draw(canvas: Canvas) -> None:
            left, right = canvas.subplots(1, 2)
            count = np.arange(1, len(steps) + 1)
            left.bar(count, steps[:, 0], color="#0072b2", width=0.55)
            left.set(xlabel="step", ylabel="seconds", title=f"{unknowns:,} unknowns", xticks=count)
            right.bar(count, steps[:, 1], color="#0072b2", width=0.55)
            right.set(xlabel="step", ylabel="Newton iterations", title="Work", xticks=count)

        desk.plot("steps", draw, "Time and Newton iterations per step.", size=(7.4, 3.0))
        yield Figure("unknowns", float(unknowns), at_least(desk.size(2e5, 9.9e5)))
        yield Figure("largest relative residual of a step", float(steps[:, 2].max()), at_most(1e-6))
        yield Figure(
            "largest energy gain per step, relative to the energy in play", float(steps[:, 3].max()), at_most(1e-9)
        )
        yield Figure(
            "time per step, median", float(np.median(steps[:, 0])), at_most(desk.size(60.0, 1200.0)), "s", timed=True
        )
        yield Figure("Newton iterations per step, mean", float(steps[:, 1].mean()))
        yield Figure(
            "microseconds per iteration and unknown", 1e6 * float(steps[:, 0].sum() / steps[:, 1].sum()) / unknowns
        )


def _steps(cells: tuple[int, int, int]) -> dict[str, Any]:
    """Number of unknowns; time, iterations, relative residual and relative energy gain of each step."""
    shape: Any = sp.Bar(cells=cells, size=(CELL * cells[0], CELL * cells[1], CELL * cells[2]))
    material = sp.StableNeoHookean.from_young(1e7, 0.4)
    beam = sp.Body(shape, material, pin=("left", "right"))
    model = sp.assemble(sp.World([beam], gravity=9.81), h=H)
    rows, before = [], 0.0
    began = time.perf_counter()
    for frame in sp.simulate(model, sp.BackwardEuler(), h=H, steps=STEPS):
        now, e = time.perf_counter(), frame.ledger.energies
        if frame.step:
            gain = max(frame.ledger.residual - before, 0.0) / e.scale
            rows.append([now - began, frame.solve.iterations, frame.solve.gradient_norm, gain])
        before, began = frame.ledger.residual, time.perf_counter()
    return {"unknowns": 3 * len(model.system.free), "steps": rows}
