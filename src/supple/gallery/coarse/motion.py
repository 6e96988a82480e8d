"""A layered cube in motion, and a composite suspended from a triangle."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from supple.analysis.coarsening_check import skins, swing_errors, swings, tracked
from supple.coarsening.coarsen import Pair, coarsen
from supple.coarsening.statics import lumped, static_displacement, weight
from supple.gallery.coarse.bodies import Surfaces, block, layered
from supple.gallery.coarse.drawing import STROKES, beside, surface_colours
from supple.gallery.desk import Desk
from supple.gallery.drawing.curves import label_ends
from supple.gallery.panel import PANELS, Panel
from supple.gallery.verdicts import Figure, Verdict, at_least, at_most
from supple.types import Array

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

DOWN = np.array([0.0, 0.0, -1.0])
LABELS = {"fine": "fine", "average": "coarse", "naive": "naive"}
SAG = 0.35
"""Sag of the lowest point, relative to the edge of the cube."""


@PANELS("K4.5")
class LayeredCube(Panel):
    title = "A layered cube in motion"
    claim = (
        "A coarse cube with effective tensors oscillates like the fine one with many layers. An "
        "averaged stiffness is too stiff."
    )
    setup = (
        "stiff and soft layers at 10:1, fixed on one side and released under a transverse force, BDF2, "
        "one period of 20 steps"
    )
    command = "supple coarsen layered-cube --cells 3,3,3 --validate"

    def study(self, desk: Desk) -> Iterable[Figure]:
        layers = desk.size(8, 12)
        cells = desk.size((2, 2, 2), (3, 3, 3))
        pair = Pair(layered(layers, 10.0, layers), block(cells))
        made = coarsen(pair.fine, pair.coarse)
        found = swings(pair, ("average", "naive"))
        errors = swing_errors(pair, found)
        names = {
            "fine": f"fine, {len(pair.fine.tets):,} tets",
            "average": f"coarse, {len(made.tets)} tets",
            "naive": "naive",
        }
        shown = {names[name]: points for name, points in skins(pair, made, found).items()}
        paths = tracked(pair, found)

        def draw(canvas: Canvas) -> None:
            beside(canvas, shown, made.skin_triangles, surface_colours(pair.fine), up="z")

        def follow(canvas: Canvas) -> None:
            axes = canvas.subplots()
            for name, (t, u) in paths.items():
                axes.plot(t, u, color=STROKES[name].colour)
            axes.set(
                xlabel="time [s]",
                ylabel="displacement of the coarse vertex that moves most [m]",
                xlim=(0.0, float(paths["fine"][0][-1])),
            )
            label_ends(
                axes, {LABELS[name]: path for name, path in paths.items()}, {LABELS[n]: STROKES[n] for n in paths}
            )

        desk.plot(
            "cubes", draw, "At the largest displacement of the fine cube. Soft layers are yellow.", size=(6.4, 2.6)
        )
        desk.plot(
            "swing",
            follow,
            "The vertex that moves most: the coarse cube oscillates in phase with the fine one.",
            size=(6.4, 2.8),
        )
        yield Figure("error of the coarse motion", errors["average"], at_most(0.3))
        yield Figure(
            "error of the naive motion relative to the coarse one", errors["naive"] / errors["average"], at_least(2.0)
        )
        yield Figure(
            "time per fine step over time per coarse step",
            found["fine"].seconds / found["average"].seconds,
            unit="times",
        )


@PANELS("K4.6")
class HangingComposite(Panel):
    title = "A composite suspended from a triangle"
    claim = (
        "The map from coarse tets back to the fine surface shows that soft layers deform and stiff ones "
        "do not. Barycentric coordinates of the same coarse vertices smear out this difference."
    )
    setup = "a cube of 6 layers at 10:1 on 162 tets, suspended from its whole top face or from one of its triangles"
    command = "supple coarsen layered-cube --cells 3,3,3"
    expects = Verdict.CORRECTED
    because = (
        "The map is more accurate where the support loads the layers uniformly. Suspended from a "
        "triangle, the body bends around the edge of its support. No combination of six uniform "
        "stresses describes this, so the map is no better than barycentric coordinates."
    )

    def study(self, desk: Desk) -> Iterable[Figure]:
        fine = layered(6, 10.0, desk.size(12, 18))
        pair = Pair(fine, block((3, 3, 3)))
        top = fine.vertices[:, 2] > 1.0 - 1e-9
        supports = {"face": top, "triangle": top & (fine.vertices[:, :2].sum(axis=1) < 1.0 + 1e-9)}
        for support, held in supports.items():
            u = static_displacement(fine, np.flatnonzero(held).astype(np.int32), weight(lumped(fine), DOWN))
            yield from self._hung(desk, pair, u, support)

    def _hung(self, desk: Desk, pair: Pair, u: Array, support: str) -> Iterable[Figure]:
        surfaces = Surfaces.of(pair, "average", SAG / float(np.abs(u[:, 2]).max()))
        wanted, true = pair.at_coarse(u[None])[0], surfaces.fine(pair, u)
        mapped, followed = surfaces.mapped(wanted), surfaces.followed(wanted)
        errors = [surfaces.difference(points, true) for points in (mapped, followed)]
        shown = {
            f"fine, {len(pair.fine.tets):,} tets": true,
            f"{len(pair.coarse.tets)} tets and the map\nerror {errors[0]:.3f}": mapped,
            f"{len(pair.coarse.tets)} tets, barycentric\nerror {errors[1]:.3f}": followed,
        }

        def draw(canvas: Canvas) -> None:
            beside(canvas, shown, surfaces.triangles, surface_colours(pair.fine), up="z", eye=(35.0, 8.0))

        caption = (
            f"Suspended from a {support}. Coarse vertices have the positions of the fine body. Soft layers are yellow."
        )
        desk.plot(support, draw, caption, size=(6.8, 3.0))
        yield Figure(f"error of the mapped surface, suspended from a {support}", errors[0], at_most(0.1))
        bound = at_least(1.5) if support == "face" else None
        yield Figure(
            f"error with barycentric coordinates relative to the map, suspended from a {support}",
            errors[1] / errors[0],
            bound,
        )
