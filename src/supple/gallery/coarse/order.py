"""Convergence with the coarse cell size: a cube of graded stiffness between sliding walls, in three cages."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from supple.coarsening.cage import cage
from supple.coarsening.effective import effective_tensors
from supple.coarsening.fine_body import FineBody, shape_gradients
from supple.coarsening.harmonic import harmonic_displacements
from supple.coarsening.overlap import overlaps
from supple.coarsening.sampling import locate
from supple.coarsening.statics import answer, lumped
from supple.gallery.coarse.bodies import block, centres, layered, of_young
from supple.gallery.desk import Desk
from supple.gallery.drawing.curves import curves
from supple.gallery.panel import PANELS, Panel
from supple.gallery.verdicts import Figure, about
from supple.types import Array, Ints

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

CAGES = (4, 6, 8)
"""Coarse cells per edge."""
LAYERED = (2, 4, 8)
GRADED = 4.0
"""Stiffness at the top relative to the bottom."""


@PANELS("K-c58")
class Order(Panel):
    title = "Convergence with the coarse cell size"
    claim = "As the cells of the cage shrink, strains converge with order 1 (H1) and displacements with order 2 (L2)."
    setup = "a cube between sliding walls under a smooth force: stiffness graded 1:4, 82,944 tets, cages of 4, 6 and 8 cells"
    command = "supple coarsen BODY.toml --cells 4,4,4 --validate"

    def study(self, desk: Desk) -> Iterable[Figure]:
        mesh = block((n := desk.size(24, 32), n, n))
        graded = of_young(mesh, GRADED ** centres(mesh)[:, 1])
        smooth = desk.kept("graded", lambda: errors_in(graded, CAGES))
        sharp = desk.kept("layered", lambda: errors_in(layered(16, 10.0, 16, axis=0), LAYERED))
        measures = ("strains (H1)", "displacements (L2)")

        def draw(canvas: Canvas) -> None:
            for axes, what, k in zip(canvas.subplots(1, 2), measures, (1, 0), strict=True):
                grade, order = np.array(smooth)[:, k], 2 - k
                given = {
                    "graded": (np.array(CAGES), grade),
                    "layers": (np.array(LAYERED), np.array(sharp)[:, k]),
                    f"order {order}": (np.array(CAGES), 0.8 * grade[0] * (CAGES[0] / np.array(CAGES)) ** order),
                }
                curves(axes, given, "coarse cells per edge", "error" if k else "", title=what, log="xy")
                axes.set_xticks(sorted({*CAGES, *LAYERED}), [str(n) for n in sorted({*CAGES, *LAYERED})])
                axes.set_xticks([], minor=True)

        caption = (
            "Graded stiffness converges with the orders of linear tets. Sharp layers stagnate, since no "
            "effective tensor describes them."
        )
        desk.plot("order", draw, caption, size=(8.4, 3.4), wide=True)
        yield Figure("order of the strains", slope(CAGES, [h1 for _, h1 in smooth]), about(1.0, 0.2))
        yield Figure("order of the displacements", slope(CAGES, [l2 for l2, _ in smooth]), about(2.0, 0.2))
        yield Figure("order of the displacements with sixteen layers at 10:1", slope(LAYERED, [l2 for l2, _ in sharp]))


def errors_in(fine: FineBody, cages: Iterable[int]) -> list[tuple[float, float]]:
    """Relative errors (L2, H1) of coarse displacements and strains, cage by cage."""
    X = fine.vertices
    force = lumped(fine)[:, None] * _pull(X)
    u, H = answer(fine, _walls(X), force), harmonic_displacements(fine)
    found = []
    for k in cages:
        coarse = cage(X, fine.tets, (k, k, k))
        V, tets = coarse.vertices, coarse.tets
        C = effective_tensors(fine, H, V, tets, overlaps(X, fine.tets, V, tets)).stiffness
        host, within = locate(X, V, tets)
        load = np.zeros_like(V)
        np.add.at(load, tets[host], within[:, :, None] * force[:, None, :])
        own = answer(FineBody(V, tets, C, np.ones(len(tets))), _walls(V), load)
        seen = np.einsum("fa,fai->fi", within, own[tets[host]])
        owner, _ = locate(fine.vertices[fine.tets].mean(axis=1), V, tets)
        strains = _strains(fine.vertices, fine.tets, u), _strains(V, tets, own)[owner]
        found.append((_error(lumped(fine), seen, u), _error(fine.volumes, strains[1], strains[0])))
    return found


def slope(cages: tuple[int, ...], errors: list[float]) -> float:
    """Order of the errors in the cell size."""
    return float(-np.polyfit(np.log(cages), np.log(errors), 1)[0])


def _pull(X: Array) -> Array:
    """(n, 3) a smooth force per mass."""
    return np.sin(np.pi * X) * np.array([1.0, 0.5, -1.0])


def _walls(X: Array) -> Ints:
    """Unknowns normal to the six walls."""
    return np.flatnonzero(((X < 1e-9) | (X > 1.0 - 1e-9)).ravel()).astype(np.int32)


def _strains(X: Array, tets: Ints, u: Array) -> Array:
    """(m, 9) strains of the tets."""
    slopes = np.einsum("mai,maj->mij", u[tets], shape_gradients(X, tets))
    return (0.5 * (slopes + np.swapaxes(slopes, 1, 2))).reshape(-1, 9)


def _error(weights: Array, found: Array, wanted: Array) -> float:
    return float(np.sqrt(weights @ ((found - wanted) ** 2).sum(axis=1) / (weights @ (wanted**2).sum(axis=1))))
