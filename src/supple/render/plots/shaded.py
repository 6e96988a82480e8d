"""Surfaces drawn as shaded triangles in plain axes: seen from far away, the far triangles first."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from supple.render.plots.modes import AXES
from supple.types import Array, Ints

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LIGHT = np.array([0.45, 0.35, 0.82])
EYE = (35.0, 20.0)
"""Degrees around the vertical axis, and above the horizon."""


def draw_surface(
    axes: Axes, points: Array, triangles: Ints, colours: Array, up: str = "y", eye: tuple[float, float] = EYE
) -> None:
    """Closed surfaces with outward triangles; colours (3,) of all triangles, or (f, 3) of each."""
    from matplotlib.collections import PolyCollection
    from matplotlib.colors import ListedColormap

    flat, towards = _view(eye)
    corners = points[:, list(AXES[up])][triangles]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-300)
    seen = np.flatnonzero(normals @ towards > 0.0)
    seen = seen[np.argsort((corners.mean(axis=1) @ towards)[seen], kind="stable")]
    shade = 0.58 + 0.42 * np.clip(normals[seen] @ (LIGHT / np.linalg.norm(LIGHT)), 0.0, None)
    faces = np.clip(shade[:, None] * np.broadcast_to(colours, (len(triangles), 3))[seen], 0.0, 1.0)
    # as values of a colour map, so shades are unchanged in dark mode
    drawn = PolyCollection(list(corners[seen] @ flat.T), cmap=ListedColormap(faces), edgecolors="face", linewidths=0.4)
    drawn.set_array(np.arange(len(seen)))
    drawn.set_rasterized(True)
    axes.add_collection(drawn)
    axes.set_aspect("equal")
    axes.autoscale_view()
    axes.set_axis_off()


def draw_box(axes: Axes, points: Array, up: str = "y", eye: tuple[float, float] = EYE) -> None:
    """Dotted edges of the box around points."""
    flat, _ = _view(eye)
    x = points[:, list(AXES[up])]
    ends = np.stack([x.min(axis=0), x.max(axis=0)])
    corners = np.array([[ends[i, 0], ends[j, 1], ends[k, 2]] for i in (0, 1) for j in (0, 1) for k in (0, 1)])
    for a in range(8):
        for b in range(a + 1, 8):
            if (a ^ b).bit_count() == 1:
                across, above = (corners[[a, b]] @ flat.T).T
                axes.plot(across, above, color="#999999", linewidth=0.8, linestyle="dotted")


def _view(eye: tuple[float, float]) -> tuple[Array, Array]:
    """(2, 3) horizontal and vertical directions of the picture, and (3,) direction towards the eye."""
    around, above = np.radians(eye)
    right = np.array([-np.sin(around), np.cos(around), 0.0])
    towards = np.array([np.cos(around) * np.cos(above), np.sin(around) * np.cos(above), np.sin(above)])
    return np.stack([right, np.cross(towards, right)]), towards
