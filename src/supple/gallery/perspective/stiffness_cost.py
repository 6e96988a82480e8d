"""Cost of a step as the stiffness of a body increases."""

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
from supple.integrators import INTEGRATORS
from supple.solvers.tools import StepTools

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

MODULI = (1e4, 1e5, 1e6, 1e7, 1e8)
METHODS = ("ere", "siere", "beere", "sbdf2-ere", "bdf2-ere", "str-sbdf2-ere", "tr-bdf2-ere", "si", "backward-euler")
H = 1 / 100
TICKS = (2.0, 5.0, 10.0, 20.0, 50.0, 100.0)
TURNS = 5


@PANELS("A4")
class StiffnessCost(Panel):
    title = "Cost per step against stiffness"
    claim = (
        "The cost per step of a purely exponential method increases with stiffness. That of SIERE and "
        "related methods does not depend on it."
    )
    setup = (
        "character of 3,000 tets on fixed feet, swaying, E 1e4 to 1e8 Pa, h 1/100 s, fastest of 5 "
        "steps; full: 6,000 tets"
    )
    command = "python benchmarks/stiffness_cost.py"
    alone = True

    def study(self, desk: Desk) -> Iterable[Figure]:
        shape = desk.size(sp.Character("medium"), sp.Character("large"))
        found = desk.kept("seconds", lambda: _seconds(shape.mesh()))
        seconds = {name: np.array(row) for name, row in found.items()}
        grows = {name: float(row[-1] / row[0]) for name, row in seconds.items()}

        def draw(canvas: Canvas) -> None:
            E = np.array(MODULI)
            given = {name: (E, 1e3 * row) for name, row in seconds.items()}
            axes = canvas.subplots()
            curves(axes, given, "Young's modulus [Pa]", "CPU time per step [ms]", log="xy")
            axes.set_yticks(TICKS, [f"{tick:g}" for tick in TICKS], minor=False)
            axes.minorticks_off()

        desk.plot(
            "cost",
            draw,
            "CPU time per step. Only the Krylov bases of ERE grow with stiffness.",
            size=(7.2, 4.2),
        )
        yield Figure("ERE: time at 1e8 Pa relative to 1e4 Pa", grows["ere"], at_least(10.0), timed=True)
        yield Figure("SIERE: the same", grows["siere"], at_most(2.0), timed=True)
        for name in METHODS[2:]:
            bound = at_most(2.0) if name in {"sbdf2-ere", "str-sbdf2-ere", "si"} else at_most(4.0)
            yield Figure(f"{name}", grows[name], bound, timed=True)
        dearer = float(seconds["ere"][-1] / seconds["siere"][-1])
        yield Figure("ERE relative to SIERE at 1e8 Pa", dearer, at_least(3.0), timed=True)


def _seconds(mesh: sp.Mesh) -> dict[str, list[float]]:
    """Smallest CPU time per step of each method and modulus [s]; each round runs all of them."""
    models = [_figure(mesh, young) for young in MODULI]
    runs = [(name, k) for name in METHODS for k in range(len(MODULI))]
    tools = {run: StepTools(models[run[1]].system) for run in runs}
    states = {run: models[run[1]].state for run in runs}
    memories: dict[tuple[str, int], dict[str, np.ndarray]] = {run: {} for run in runs}
    taken: dict[tuple[str, int], list[float]] = {run: [] for run in runs}
    for turn in range(
        -2, TURNS
    ):  # two warm-up rounds: compilation, analysis of sparsity patterns, start of two-step methods
        for run in runs:
            method, system = INTEGRATORS.find(run[0])(), models[run[1]].system
            began = time.process_time()
            states[run], memories[run], _ = method.step(system, states[run], memories[run], H, tools[run])
            if turn >= 0:
                taken[run].append(time.process_time() - began)
    for tool in tools.values():
        tool.close()
    return {name: [min(taken[name, k]) for k in range(len(MODULI))] for name in METHODS}


def _figure(mesh: sp.Mesh, young: float) -> sp.Model:
    """A character on fixed feet, moving sideways."""
    start = sp.Initial(velocity=("0.3 * Y", "0", "0"))
    figure = sp.Body(mesh, sp.StableNeoHookean.from_young(young, 0.4), pin=("feet",), initial=start)
    return sp.assemble(sp.World([figure], gravity=9.81))
