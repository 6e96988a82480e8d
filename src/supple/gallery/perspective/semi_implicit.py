"""One Newton step without a line search: where it overshoots."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

import supple as sp
from supple.errors import SuppleError
from supple.gallery.desk import Desk
from supple.gallery.drawing.curves import curves
from supple.gallery.panel import PANELS, Panel
from supple.gallery.verdicts import Figure, at_least, at_most
from supple.integrators.method import Method

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

DIVERGED = 1e3
"""Relative energy from which a run counts as diverged."""
ENDLESS = 1e30
"""Cap of relative energies."""
CASES = {
    "SI, 1e6 Pa": ("si", 1e6, 30),
    "SI, 1e6 Pa, 1/120 s": ("si", 1e6, 120),
    "SI, 1e5 Pa": ("si", 1e5, 30),
    "BE, 1e6 Pa": ("backward-euler", 1e6, 30),
}


@PANELS("A-c1")
class SemiImplicitDiverges(Panel):
    title = "Divergence of the semi-implicit step"
    claim = (
        "Semi-implicit backward Euler takes one Newton step without a line search. It may diverge where "
        "backward Euler does not."
    )
    setup = (
        "bar of 160 tets twisted by 3 rad/m and released, stable neo-Hookean, E 1e6 Pa, h 1/30 s, 2 s; full: 1,280 tets"
    )
    command = "supple compare twisting-bar --integrators si,backward-euler"

    def study(self, desk: Desk) -> Iterable[Figure]:
        cells = desk.size((8, 2, 2), (16, 4, 4))
        found = {
            name: np.array(desk.kept(name.replace(" ", "-").replace("/", "-"), partial(_energies, cells, *case)))
            for name, case in CASES.items()
        }

        def draw(canvas: Canvas) -> None:
            given = {name: (np.arange(len(E)) / CASES[name][2], np.maximum(E, 1e-9)) for name, E in found.items()}
            curves(canvas.subplots(), given, "time [s]", "energy / initial energy", log="y", limits=(1e-9, 1e12))

        desk.plot(
            "energies",
            draw,
            "The stiff bar diverges within a second at the long step. With a shorter step or a softer bar it does not.",
        )
        peak = {name: float(E.max()) for name, E in found.items()}
        first = np.flatnonzero(found["SI, 1e6 Pa"] > DIVERGED)
        began = float(first[0]) / 30 if len(first) else float("nan")
        yield Figure("largest relative energy: si, E 1e6 Pa, h 1/30 s", peak["SI, 1e6 Pa"], at_least(DIVERGED))
        yield Figure("backward Euler, the same", peak["BE, 1e6 Pa"], at_most(1.0 + 1e-9))
        yield Figure("si at a quarter of the step", peak["SI, 1e6 Pa, 1/120 s"], at_most(1.5))
        yield Figure("si on a bar ten times softer", peak["SI, 1e5 Pa"], at_most(1.5))
        yield Figure(f"time at which si reaches {DIVERGED:g} times the initial energy", began, unit="s")


def _energies(cells: tuple[int, int, int], method: str, young: float, rate: int) -> list[float]:
    """Relative energy after each step; the last one is ENDLESS if the run could not continue."""
    shape: Any = sp.Bar(cells=cells, size=(2.0, 0.5, 0.5))
    bar = sp.Body(
        shape, sp.StableNeoHookean.from_young(young, 0.4), pin=("left",),
        initial=sp.Initial(twist=sp.Twist(axis="x", rate=3.0)),
    )  # fmt: skip
    model = sp.assemble(sp.World([bar], gravity=0.0))
    taken: Method = sp.SemiImplicit() if method == "si" else sp.BackwardEuler()
    start, found = model.energies().total, []
    try:
        for frame in sp.simulate(model, taken, h=1 / rate, steps=2 * rate, solver=sp.SolverOptions(max_halvings=0)):
            found.append(min(frame.ledger.energies.total / start, ENDLESS))
    except SuppleError:
        found.append(ENDLESS)
    return found
