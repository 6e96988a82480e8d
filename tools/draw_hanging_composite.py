"""Draws docs/images/hanging-composite.png: a cube of stiff and soft layers that hangs from its top, and two coarse versions.

They have 48 tets and show the fine body by the harmonic map and by barycentric coordinates. Coarse vertices have the positions of
the fine ones.

python tools/draw_hanging_composite.py
"""

from __future__ import annotations

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from PIL import Image

from supple.coarsening.coarse_body import CoarseBody
from supple.coarsening.coarsen import coarsen
from supple.coarsening.fine_map import fine_positions
from supple.coarsening.sampling import locate, sampled
from supple.coarsening.statics import lumped, static_displacement, weight
from supple.mesh.topology import boundary_triangles
from supple.types import Array

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT / "tests" / "coarsening")]

LAYERS, CELLS, COARSE = 6, 18, 2
SAG = 0.45
"""Of the lowest face, over the edge of the cube."""
STIFF, SOFT = np.array([0.23, 0.42, 0.62]), np.array([0.97, 0.76, 0.43])
LIGHT = np.array([0.45, -0.75, 0.5])
EYE = np.radians([-62.0, 12.0])
"""Around the vertical axis, and above the horizon."""


def main() -> None:
    from composite import grid, layered

    fine = layered(LAYERS, 10.0, CELLS)
    body = coarsen(fine, grid((COARSE, COARSE, COARSE), (1.0, 1.0, 1.0)))
    top = np.flatnonzero(fine.vertices[:, 2] > 1.0 - 1e-9).astype(np.int32)
    u = static_displacement(fine, top, weight(lumped(fine), np.array([0.0, 0.0, -1.0])))
    u *= SAG / np.abs(u[:, 2]).max()
    x = body.vertices + sampled(u[None], fine.tets, *locate(body.vertices, fine.vertices, fine.tets))[0]
    moved = u[np.unique(boundary_triangles(fine.tets))]
    shown = {
        "fine": body.skin + moved,
        "coarse, mapped": fine_positions(body, x, blend=True),
        "coarse, barycentric": np.einsum("fai,fa->fi", x[body.tets[body.host]], body.coordinates),
    }
    figure, panels = plt.subplots(1, 3, figsize=(8.1, 3.9), layout="constrained", sharex=True, sharey=True)
    for axes, (name, points) in zip(panels, shown.items(), strict=True):
        draw(axes, body, points)
        error = np.linalg.norm(points - body.skin - moved) / np.linalg.norm(moved)
        tets = len(fine.tets) if name == "fine" else len(body.tets)
        axes.set_title(f"{name}\n{tets} tets" + (f", rms error {error:.3f}" if error > 1e-9 else ""), fontsize=10)
    figure.canvas.draw()
    picture = Image.fromarray(np.asarray(figure.canvas.buffer_rgba())).convert("RGB")
    picture.quantize(128).save(
        ROOT / "docs" / "images" / "hanging-composite.png", optimize=True
    )  # few colours: a small file


def draw(axes: Axes, body: CoarseBody, points: Array) -> None:
    """The visible triangles, the far ones first."""
    (a, b) = EYE
    right = np.array([-np.sin(a), np.cos(a), 0.0])
    towards = np.array([np.cos(a) * np.cos(b), np.sin(a) * np.cos(b), np.sin(b)])
    corners = points[body.skin_triangles]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    height = body.skin[body.skin_triangles].mean(axis=1)[:, 2]
    soft = np.minimum(LAYERS * height, LAYERS - 1).astype(int) % 2 == 1
    light = 0.62 + 0.38 * np.clip(normals @ (LIGHT / np.linalg.norm(LIGHT)), 0.0, None)
    colours = np.where(soft[:, None], SOFT, STIFF) * light[:, None]
    seen = np.flatnonzero(normals @ towards > 0.0)
    seen = seen[np.argsort((corners.mean(axis=1) @ towards)[seen])]
    flat = np.stack([corners @ right, corners @ np.cross(towards, right)], axis=2)[seen]
    axes.add_collection(PolyCollection(flat, facecolors=colours[seen], edgecolors=colours[seen], linewidths=0.4))
    axes.set_aspect("equal")
    axes.autoscale_view()
    axes.axis("off")


if __name__ == "__main__":
    main()
