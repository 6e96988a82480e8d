"""A slab with holes in one half, which is also softer in the coarse body."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import numpy as np

from supple.analysis.coarsening_check import swings
from supple.coarsening.coarsen import Pair
from supple.coarsening.effective import Method, Naive
from supple.coarsening.statics import static_displacement
from supple.gallery.coarse.bodies import Surfaces, block, of_scene
from supple.gallery.coarse.drawing import STROKES, beside, surface_colours
from supple.gallery.desk import Desk
from supple.gallery.drawing.curves import label_ends
from supple.gallery.panel import PANELS, Panel
from supple.gallery.verdicts import Figure, at_least, within
from supple.mesh.topology import boundary_triangles
from supple.types import Array, Ints

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

SIZE = (0.3, 0.1, 0.15)
CELLS = (6, 2, 3)
KINDS = {"fine": "fine", "coarse": "average", "naive": "naive"}
SHARE = 0.03
"""Largest drawn displacement [m]."""


@PANELS("K4.8")
class HolesInOneHalf(Panel):
    title = "A slab with holes in one half"
    claim = (
        "The half with holes is softer by the same factor in the coarse body, and a step is over a "
        "hundred times faster."
    )
    setup = "slab-with-holes scene, 13,824 tets, as 216 tets in two layers of cells; bottom fixed, top pushed sideways"
    command = "supple coarsen slab-with-holes --cells 6,2,3 --validate"
    alone = True

    def study(self, desk: Desk) -> Iterable[Figure]:
        each = desk.size(4, 6)
        cells = [each * count for count in CELLS]
        fine = of_scene("slab-with-holes", f"body[0].mesh.cells={cells}")
        pair = Pair(fine, block(CELLS, SIZE))
        u = _pushed(fine.vertices, fine.tets, lambda held, force: static_displacement(fine, held, force))
        wanted = pair.at_coarse(u[None])[0]
        V, tets = pair.coarse.vertices, pair.coarse.tets

        def coarse(kind: Method | Naive) -> Array:
            body = pair.body(kind)
            return _pushed(V, tets, lambda held, force: static_displacement(body, held, force))

        moved = {kind: coarse(kind) for kind in ("average", "naive")}
        self._draw(desk, pair, u, moved)
        self._plot(desk, V, {"fine": wanted, "coarse": moved["average"], "naive": moved["naive"]})
        factors = {"fine": _factor(V, wanted)} | {kind: _factor(V, own) for kind, own in moved.items()}
        errors = {kind: pair.error(own, wanted) for kind, own in moved.items()}
        seconds = desk.kept("seconds", lambda: _seconds(pair, desk.size(4, 6)))
        yield Figure("displacement of the half with holes relative to the solid half, fine", factors["fine"])
        yield Figure("this factor, coarse relative to fine", factors["average"] / factors["fine"], within(0.8, 1.2))
        yield Figure("this factor, naive relative to fine", factors["naive"] / factors["fine"])
        yield Figure(
            "error of the naive displacements relative to the coarse ones",
            errors["naive"] / errors["average"],
            at_least(1.5),
        )
        fast = at_least(100.0) if desk.full else None
        yield Figure(
            "time per fine step over time per coarse step",
            seconds["fine"] / seconds["average"],
            fast,
            "times",
            "150, with 35,000 tets",
            timed=True,
        )

    def _draw(self, desk: Desk, pair: Pair, u: Array, moved: dict[str, Array]) -> None:
        surfaces = Surfaces.of(pair, "average", SHARE / float(np.abs(u).max()))
        shown = {
            f"fine, {len(pair.fine.tets):,} tets": surfaces.fine(pair, u),
            f"coarse, {len(pair.coarse.tets)} tets": surfaces.mapped(moved["average"]),
            "naive average of the stiffness": surfaces.followed(moved["naive"]),
        }

        def draw(canvas: Canvas) -> None:
            beside(canvas, shown, surfaces.triangles, surface_colours(pair.fine), eye=(25.0, 45.0))

        desk.plot(
            "slabs",
            draw,
            "Pushed along z, displacements magnified. Holes are yellow.",
            size=(9.0, 2.8),
            wide=True,
        )

    def _plot(self, desk: Desk, V: Array, moved: dict[str, Array]) -> None:
        top = V[:, 1] > SIZE[1] - 1e-9
        x = np.unique(np.round(V[top, 0], 9))
        rows = {
            name: np.array([u[top & (np.abs(V[:, 0] - at) < 1e-6), 2].mean() for at in x]) for name, u in moved.items()
        }
        whole = float(rows["fine"][x < SIZE[0] / 2.0 - 1e-9].mean())
        given = {name: (x, row / whole) for name, row in rows.items()}

        def draw(canvas: Canvas) -> None:
            axes = canvas.subplots()
            for name, (across, up) in given.items():
                axes.plot(across, up, color=STROKES[KINDS[name]].colour, marker="o", markersize=3.5)
            axes.axvspan(SIZE[0] / 2.0, SIZE[0], color="#888888", alpha=0.12)
            axes.annotate("holes", (0.75 * SIZE[0], 0.04), xycoords=("data", "axes fraction"), ha="center")
            axes.set(
                xlabel="x [m]",
                ylabel="top displacement / that of the solid half",
                xlim=(0.0, SIZE[0]),
                ylim=(0.0, None),
            )
            label_ends(axes, given, {name: STROKES[KINDS[name]] for name in given})

        desk.plot(
            "push",
            draw,
            (
                "Displacement of the top, averaged across the slab: the coarse slab yields in the same places "
                "as the fine one."
            ),
        )


def _pushed(X: Array, tets: Ints, answer: Callable[[Ints, Array], Array]) -> Array:
    """(n, 3) displacements with the bottom fixed and a uniform traction along z at the top [m]."""
    faces = boundary_triangles(tets)
    top = faces[(X[faces][:, :, 1] > SIZE[1] - 1e-9).all(axis=1)]
    areas = 0.5 * np.linalg.norm(np.cross(X[top[:, 1]] - X[top[:, 0]], X[top[:, 2]] - X[top[:, 0]]), axis=1)
    force = np.zeros_like(X)
    np.add.at(force[:, 2], top, np.repeat(areas[:, None] / 3.0, 3, axis=1))
    return answer(np.flatnonzero(X[:, 1] < 1e-9).astype(np.int32), force)


def _factor(V: Array, u: Array) -> float:
    """Mean top displacement of the half with holes, relative to that of the solid half."""
    top = V[:, 1] > SIZE[1] - 1e-9
    middle = SIZE[0] / 2.0
    return float(u[top & (V[:, 0] > middle + 1e-9), 2].mean() / u[top & (V[:, 0] < middle - 1e-9), 2].mean())


def _seconds(pair: Pair, steps: int) -> dict[str, float]:
    """Wall time per step of each body, released under a force."""
    return {name: swing.seconds for name, swing in swings(pair, ("average",), steps).items()}
