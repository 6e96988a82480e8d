"""Six harmonic displacements, and a soft slice between two rods that naive averages miss."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from supple.coarsening.coarsen import Pair
from supple.coarsening.effective import effective_tensors
from supple.coarsening.fine_body import isotropic_moduli
from supple.coarsening.harmonic import harmonic_displacements, uniform_displacements
from supple.gallery.coarse.bodies import Loaded, Surfaces, block, centres, layered, of_young
from supple.gallery.coarse.drawing import beside, surface_colours
from supple.gallery.desk import Desk
from supple.gallery.panel import PANELS, Panel
from supple.gallery.verdicts import Figure, at_most, within
from supple.render.plots.harmonics import draw_harmonics

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

CONTRAST = 100.0
POISSON = 0.3


@PANELS("K4.2")
class Harmonics(Panel):
    also = ("K4.3",)
    title = "Six harmonic displacements, and a soft slice between two rods"
    claim = (
        "The response of a body to six unit stresses on its surface determines its coarse tets. Layers "
        "become a laminate. A rod with a soft slice still stretches there, although the slice fills "
        "only a small part of one coarse cell."
    )
    setup = "12 layers at 100:1 on 162 tets; a rod of 8 m with a slice of 0.25 m, a thousand times softer, on 48 tets"
    command = "supple coarsen layered-cube --cells 3,3,3 --draw-harmonics"

    def study(self, desk: Desk) -> Iterable[Figure]:
        yield from self._laminate(desk)
        yield from self._slice(desk)

    def _laminate(self, desk: Desk) -> Iterable[Figure]:
        shown = layered(6, 10.0, desk.size(6, 12))
        rows = {
            "one material": uniform_displacements(shown.vertices, POISSON),
            "six layers": harmonic_displacements(shown),
        }
        young = isotropic_moduli(shown.stiffness)[0]

        def draw(canvas: Canvas) -> None:
            draw_harmonics(canvas, shown.vertices, shown.tets, young, rows, "z")

        caption = (
            "Responses to the six unit stresses, each with its own scale. Soft layers are yellow; dotted "
            "lines show the rest shape."
        )
        desk.plot("harmonics", draw, caption, size=(11.0, 3.6), wide=True)
        fine = layered(12, CONTRAST, 12)
        coarse = block((3, 3, 3))
        pair = Pair(fine, coarse)
        found = effective_tensors(fine, pair.H, coarse.vertices, coarse.tets, pair.found, "nodal").stiffness
        inner = (np.abs(centres(coarse) - 0.5) < 1 / 6).all(axis=1)
        across, shear = laminate(np.array([1e4, 1e4 / CONTRAST]))
        C33, C44 = found[inner, 2, 2].mean(), found[inner, 3, 3].mean()
        yield Figure("stiffness across the layers relative to laminate theory", float(C33 / across), within(0.99, 1.01))
        yield Figure("shear stiffness relative to laminate theory", float(C44 / shear), within(0.99, 1.01))

    def _slice(self, desk: Desk) -> Iterable[Figure]:
        mesh = block((32, 4, 4), (8.0, 1.0, 1.0))
        x = centres(mesh)[:, 0]
        fine = of_young(mesh, np.where((x > 3.25) & (x < 3.5), 10.0, 1e4))
        pair = Pair(fine, block((8, 1, 1), (8.0, 1.0, 1.0)))
        pull = Loaded(pair, 0, (1.0, 0.0, 0.0))
        surfaces = Surfaces.of(pair, "nodal", 0.35 / float(pull.fine[:, 0].max()))
        shown = {
            f"fine, {len(fine.tets):,} tets": surfaces.fine(pair, pull.fine),
            f"coarse, {len(pair.coarse.tets)} tets": surfaces.mapped(pull.coarse("nodal")),
            "naive average of the stiffness": surfaces.followed(pull.coarse("naive")),
        }

        def draw(canvas: Canvas) -> None:
            beside(canvas, shown, surfaces.triangles, surface_colours(fine), eye=(20.0, 18.0), stacked=True)

        desk.plot(
            "slice",
            draw,
            (
                "Fixed at the left and pulled along its axis: the slice takes all of the extension. The coarse "
                "rod tilts, since its cells are split asymmetrically."
            ),
        )
        yield Figure("extension of the coarse rod relative to the fine one", pull.stretch("nodal"), within(0.8, 1.2))
        yield Figure("extension with the naive average relative to the fine one", pull.stretch("naive"), at_most(0.1))


def laminate(young: np.ndarray) -> tuple[float, float]:
    """Stiffness across layers of equal thickness, and in shear between them (Mandel): harmonic means [Pa]."""
    lam, mu = young * POISSON / ((1 + POISSON) * (1 - 2 * POISSON)), young / (2 * (1 + POISSON))
    return float(1.0 / np.mean(1.0 / (lam + 2 * mu))), float(1.0 / np.mean(1.0 / (2 * mu)))
