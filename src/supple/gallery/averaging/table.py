"""Table 1 of the source: milliseconds per Newton iteration for six bodies and four methods."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from supple.gallery.desk import Desk
from supple.gallery.panel import PANELS, Panel
from supple.gallery.verdicts import Figure, at_most
from supple.loop import simulate
from supple.render.style import INTEGRATORS as STROKES
from supple.scene.text.load import load_scene

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

METHODS = ("avf", "midpoint", "newmark", "backward-euler")


@dataclass(frozen=True)
class Row:
    """A body of the table and its substitute here."""

    body: str
    size: str
    scene: str
    settings: tuple[str, ...]
    printed: tuple[float, float, float, float]
    """Printed times in the order of the methods [ms]."""


ROWS = (
    Row("bunny", "1,839 vertices, 5,891 tets", "pulled-ears", ("body.0.mesh.size=large",), (193.1, 172.4, 188.5, 145.2)),
    Row("dragon", "1,000 vertices, 3,065 tets", "spinning-figure", ("body.0.mesh.size=medium",), (91.5, 77.6, 63.6, 62.1)),
    Row("sheet", "5,061 vertices, 24,300 springs", "thin-sheet", (), (201.4, 219.8, 218.5, 200.2)),
    Row("cloth", "6,400 vertices, 31,363 springs", "hanging-cloth", (), (949.2, 951.7, 905.0, 829.7)),
    Row("Ditto", "157 vertices, 415 tets", "bouncing-figure", ("obstacle=[]",), (40.0, 22.2, 26.7, 21.9)),
    Row("bar", "1,314 vertices, 3,440 tets", "twisting-bar", ("body.0.mesh.cells=[43,4,4]",), (102.9, 82.6, 79.2, 84.1)),
)  # fmt: skip


@PANELS("R-T1")
class Table(Panel):
    title = "Milliseconds per iteration"
    claim = (
        "An AVF iteration costs about as much as one of midpoint, Newmark or backward Euler: at most "
        "1.8 times as much in the table."
    )
    setup = (
        "substitutes: our character (1,548 vertices, 5,984 tets; 884, 3,148; 171, 440), bar (1,100; "
        "3,440), sheet and cloth of the printed sizes; first steps of 1/30 s, one thread, one session"
    )
    command = "supple compare pulled-ears --integrators avf,midpoint,newmark,backward-euler --steps 5"
    alone = True

    def study(self, desk: Desk) -> Iterable[Figure]:
        steps = desk.size(4, 20)
        found = desk.kept(
            "times", lambda: {row.body: [_iteration(row, name, steps) for name in METHODS] for row in ROWS}
        )

        def draw(canvas: Canvas) -> None:
            axes = canvas.subplots()
            for k, row in enumerate(ROWS):
                for j, name in enumerate(METHODS):
                    colour, y = STROKES[name].colour, -k + 0.24 - 0.16 * j
                    axes.plot([found[row.body][j], row.printed[j]], [y, y], color=colour, linewidth=0.7)
                    axes.plot(found[row.body][j], y, "o", color=colour, markersize=6)
                    axes.plot(row.printed[j], y, "o", markerfacecolor="none", markeredgecolor=colour, markersize=5)
            for j, name in enumerate(METHODS):
                axes.annotate(
                    name, (1.01, 0.97 - 0.07 * j), xycoords="axes fraction", color=STROKES[name].colour, fontsize=9
                )
            axes.annotate(
                "filled: measured\nhollow: printed", (1.01, 0.5), xycoords="axes fraction", fontsize=9, color="#666666"
            )
            axes.set_xscale("log")
            axes.set(xlabel="milliseconds per iteration", yticks=[-k for k in range(len(ROWS))])
            axes.set_yticklabels([f"{row.body}\n{row.size}" for row in ROWS])

        desk.plot("table", draw, "Table 1 and our measurements; machines and linear solvers differ.",
                  size=(9.0, 4.6), wide=True)  # fmt: skip
        for row in ROWS:
            for j, name in enumerate(METHODS):
                yield Figure(f"{row.body}, {name}", found[row.body][j], unit="ms", printed=f"{row.printed[j]:.1f}")
        ratios = [found[row.body][0] / max(found[row.body][1:3]) for row in ROWS]
        yield Figure(
            "AVF relative to the slower of midpoint and Newmark, maximum of six bodies",
            max(ratios),
            at_most(1.8),
            printed="1.50",
            timed=True,
        )
        cheap = [found[row.body][0] / found[row.body][3] for row in ROWS]
        yield Figure(
            "AVF relative to backward Euler, maximum of six bodies",
            max(cheap),
            at_most(2.2),
            printed="1.83",
            timed=True,
        )
        faster = [p / ms for row in ROWS for p, ms in zip(row.printed, found[row.body], strict=True)]
        yield Figure("printed time over measured time, median of 24", float(np.median(faster)))


def _iteration(row: Row, name: str, steps: int) -> float:
    """Time per iteration of the fastest step after the first [ms]; the minimum is least affected by other load on the machine."""
    setup = load_scene(row.scene, [*row.settings, f"integrator={{name='{name}'}}"]).make()
    model = setup.assemble()
    best, began = float("inf"), 0.0
    for k, frame in enumerate(simulate(model.system, setup.method, model.state, setup.h, steps + 1)):
        now = time.perf_counter()
        if k > 1 and frame.solve and frame.solve.iterations:
            best = min(best, (now - began) / frame.solve.iterations)
        began = time.perf_counter()
    return 1e3 * best
