"""A bar with a crack: the fine bar, its coarse version, and two naive averages."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from supple.analysis.coarsening_check import Kind
from supple.coarsening.coarsen import Pair
from supple.gallery.coarse.bodies import Loaded, Surfaces, block, of_scene
from supple.gallery.coarse.drawing import bars, beside, surface_colours
from supple.gallery.desk import Desk
from supple.gallery.panel import PANELS, Panel
from supple.gallery.verdicts import Figure, at_least, at_most

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

SIZE = (6.0, 1.0, 1.0)


@PANELS("K4.4")
class Crack(Panel):
    also = ("K4.7",)
    title = "A bar with a crack"
    claim = (
        "A bar coarsened by harmonic displacements opens at the crack like the fine one. Bars with "
        "averaged moduli or averaged stiffness matrices hardly do. The map back to the fine surface "
        "shows the open crack, which the corners of coarse tets would smear out."
    )
    setup = (
        "a clamped bar of 6 m, soft at 1000:1 in a slice through 3/4 of its height; 288 coarse tets; "
        "loaded by its weight and by a pull"
    )
    command = "supple coarsen cracked-bar --cells 12,2,2 --method nodal --validate"

    def study(self, desk: Desk) -> Iterable[Figure]:
        across = desk.size(8, 12)
        fine = of_scene("cracked-bar", f"body[0].mesh.cells=[48, {across}, {across}]")
        pair = Pair(fine, block((12, 2, 2), SIZE))
        sag, pull = Loaded(pair, 0, (0.0, -1.0, 0.0)), Loaded(pair, 0, (1.0, 0.0, 0.0))
        kinds: dict[Kind, str] = {"nodal": "coarse", "naive": "naive, stiffness", "moduli": "naive, moduli"}
        found = {
            load: {label: case.error(kind) for kind, label in kinds.items()}
            for load, case in (("its weight", sag), ("a pull", pull))
        }
        surfaces = Surfaces.of(pair, "nodal", 0.5 / float(abs(pull.fine).max()))
        true = surfaces.fine(pair, pull.fine)
        mapped, followed = surfaces.mapped(pull.wanted), surfaces.followed(pull.wanted)
        shown = {
            f"fine, {len(fine.tets):,} tets": true,
            f"coarse, {len(pair.coarse.tets)} tets": surfaces.mapped(pull.coarse("nodal")),
            "naive: mean of stiffness matrices": surfaces.followed(pull.coarse("naive")),
            "naive: mean of moduli": surfaces.followed(pull.coarse("moduli")),
        }

        def draw(canvas: Canvas) -> None:
            beside(canvas, shown, surfaces.triangles, surface_colours(fine), eye=(20.0, 16.0), stacked=True)

        def compare(canvas: Canvas) -> None:
            bars(canvas.subplots(), found, "relative displacement error")

        desk.plot(
            "bars", draw, "Pulled along its axis, displacements magnified. The crack (yellow) opens.", size=(6.4, 5.2)
        )
        desk.plot(
            "errors",
            compare,
            "Both averages are identical here, since both materials have the same Poisson's ratio.",
        )
        for load, errors in found.items():
            yield Figure(f"error of the coarse bar, {load}", errors["coarse"], at_most(0.4))
            worst = min(errors["naive, stiffness"], errors["naive, moduli"])
            yield Figure(
                f"error of the better average relative to the coarse bar, {load}",
                worst / errors["coarse"],
                at_least(2.0),
            )
        seen = surfaces.difference(followed, true) / surfaces.difference(mapped, true)
        yield Figure("error of the surface without the map, relative to that with it", seen, at_least(1.2))
