"""The six harmonic displacements of a body: its response to unit stresses at its surface (see coarsening/harmonic.py)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from supple.mesh.topology import boundary_triangles, distinct
from supple.render import style
from supple.render.plots.shaded import draw_box, draw_surface
from supple.types import Array, Ints

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TITLES = (
    "stress xx\npulled along x", "stress yy\npulled along y", "stress zz\npulled along z",
    "stress yz\nsheared in yz", "stress xz\nsheared in xz", "stress xy\nsheared in xy",
)  # fmt: skip
MOVED = 0.12
"""Largest displacement drawn, relative to the diagonal of the body."""
SOFT, STIFF = np.array([0.95, 0.74, 0.36]), np.array([0.36, 0.54, 0.76])


def plot_harmonics(
    vertices: Array, tets: Ints, young: Array, rows: Mapping[str, Array], path: Path, title: str, up: str = "y"
) -> None:
    """`rows`: label -> (6, n, 3) displacements; `young` (m,) of the tets colours the last row."""
    figure = style.new_figure(13.0, 0.9 + 2.2 * len(rows), title)
    draw_harmonics(figure, vertices, tets, young, rows, up)
    style.save(figure, path)


def draw_harmonics(
    figure: Figure, vertices: Array, tets: Ints, young: Array, rows: Mapping[str, Array], up: str = "y"
) -> None:
    """A row of six pictures for each label, each with its own scale."""
    faces, owner = outer_faces_of(tets)
    grid = figure.subplots(len(rows), 6, squeeze=False, sharex=True, sharey=True)
    for k, (label, H) in enumerate(rows.items()):
        shade = stiffness_colours(young[owner]) if k == len(rows) - 1 else STIFF
        for r, axes in enumerate(grid[k]):
            draw_box(axes, vertices, up)
            draw_surface(axes, _scaled(vertices, H[r]), faces, shade, up)
            if k == 0:
                axes.set_title(TITLES[r], fontsize=10, loc="center", fontweight="normal")
        words = label.replace(" ", "\n", 1)
        grid[k][0].annotate(words, (-0.04, 0.5), xycoords="axes fraction", ha="right", va="center", fontsize=11)


def outer_faces_of(tets: Ints) -> tuple[Ints, Ints]:
    """(f, 3) faces of the surface and (f,) the tet behind each."""
    faces = boundary_triangles(tets)
    every = np.sort(tets[:, [[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]]].reshape(-1, 3), axis=1)
    first, inverse, _ = distinct(np.concatenate([np.sort(faces, axis=1), every]))
    last = np.zeros(len(first), dtype=np.int64)
    last[inverse[len(faces) :]] = np.arange(len(every))
    return faces, (last[inverse[: len(faces)]] // 4).astype(np.int32)


def stiffness_colours(young: Array) -> Array:
    """(f, 3) from soft to stiff by the logarithm of Young's modulus."""
    size = np.log(young)
    span = float(np.ptp(size))
    part = (size - size.min()) / span if span > 1e-9 else np.ones_like(size)
    return SOFT + part[:, None] * (STIFF - SOFT)


def _scaled(X: Array, H: Array) -> Array:
    """(n, 3) the body with visibly scaled displacements."""
    largest = float(np.linalg.norm(H, axis=1).max()) or 1.0
    return X + MOVED * float(np.linalg.norm(np.ptp(X, axis=0))) / largest * H
