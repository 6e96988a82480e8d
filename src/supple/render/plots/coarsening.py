"""A coarse body beside its fine original: surfaces in motion, a point over time, errors under loads."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from supple.render import style
from supple.types import Array, Ints

COLOURS = {"fine": "#222222", "average": "#0072b2", "nodal": "#009e73", "naive": "#d55e00", "moduli": "#cc79a7"}
MOST = 12_000
"""Largest number of triangles drawn of a surface; beyond, every n-th."""


def plot_check(
    errors: Mapping[str, Mapping[str, float]],
    skins: Mapping[str, Array],
    triangles: Ints,
    tracked: Mapping[str, tuple[Array, Array]],
    path: Path,
    title: str,
) -> None:
    """`errors`: load -> method -> error; `skins`: body -> (f, 3); `tracked`: body -> times [s] and displacements [m]."""
    figure = style.new_figure(8.0, 6.0, title)
    figure.set_layout_engine(None)  # the automatic layout leaves wide gaps around 3D axes
    low = np.min([x.min(axis=0) for x in skins.values()], axis=0)
    high = np.max([x.max(axis=0) for x in skins.values()], axis=0)
    for k, (name, x) in enumerate(skins.items()):
        place = (k / len(skins), 0.47, 1.0 / len(skins), 0.42)
        axes: Any = figure.add_axes(place, projection="3d")
        _draw(axes, x, triangles, (low, high))
        axes.set_title(name, fontsize=12.5, color=COLOURS[name], y=1.02)
    _draw_tracked(figure.add_axes((0.09, 0.1, 0.38, 0.3)), tracked)
    _draw_errors(figure.add_axes((0.58, 0.1, 0.38, 0.3)), errors)
    style.save(figure, path)


def _draw(axes: Any, x: Array, triangles: Ints, box: tuple[Array, Array]) -> None:
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection

    shown = triangles[:: -(-len(triangles) // MOST)]
    corners = x[shown]
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    length = np.linalg.norm(normal, axis=1, keepdims=True)
    light = normal / np.where(length > 0.0, length, 1.0) @ np.array([0.35, -0.6, 0.72])
    shade = (0.55 + 0.45 * np.clip(light, -0.6, 1.0))[:, None] * np.array([0.78, 0.84, 0.92])
    colours = np.clip(shade, 0.0, 1.0)
    axes.add_collection3d(Poly3DCollection(corners, facecolors=colours, edgecolors=colours, linewidths=0.3))
    low, high = box
    axes.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), zlim=(low[2], high[2]))
    axes.set_box_aspect(tuple(np.maximum(high - low, 1e-9)), zoom=1.0)
    axes.set_proj_type("ortho")
    axes.view_init(elev=18, azim=-60)
    axes.set_axis_off()


def _draw_tracked(axes: Any, tracked: Mapping[str, tuple[Array, Array]]) -> None:
    for name, (t, u) in tracked.items():
        axes.plot(t, u, color=COLOURS[name], linewidth=2.2 if name == "fine" else 1.6, label=name)
    style.dress(axes, "moved  [m]")
    axes.set_xlabel("time  [s]", fontsize=12.5, color=style.INK)
    axes.legend(frameon=False, fontsize=11, ncols=3, loc="lower center", bbox_to_anchor=(0.5, 1.0))


def _draw_errors(axes: Any, errors: Mapping[str, Mapping[str, float]]) -> None:
    methods = list(next(iter(errors.values())))
    width = 0.8 / len(methods)
    for k, method in enumerate(methods):
        at = np.arange(len(errors)) + width * (k - 0.5 * (len(methods) - 1))
        axes.bar(at, [found[method] for found in errors.values()], width, color=COLOURS[method], label=method)
    style.dress(axes, "error under a load")
    axes.set_xticks(range(len(errors)), [load.replace(", ", "\n").replace(" along", "\nalong") for load in errors])
    axes.legend(frameon=False, fontsize=11, ncols=3, loc="lower center", bbox_to_anchor=(0.5, 1.0))
