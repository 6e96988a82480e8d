"""Vibration modes: spectra of one or several bodies, and pictures of single modes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from supple.mesh.mesh import Mesh
from supple.mesh.topology import surface, unique_edges
from supple.render import style
from supple.types import Array, Ints

if TYPE_CHECKING:
    from mpl_toolkits.mplot3d import Axes3D

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#332288")
AXES = {"x": (1, 2, 0), "y": (2, 0, 1), "z": (0, 1, 2)}
"""Coordinates used as matplotlib's x, y and z, with `up` vertical."""
AMPLITUDE = 0.12
"""Largest displacement drawn, relative to the diagonal of the body."""
TILE, HEAD = 3.0, 0.6
"""Heights of a picture and of the title [inches]."""
BELOW = 10.0
"""Factor below the lowest stiff mode at which modes without stiffness are drawn."""


def plot_spectra(spectra: Mapping[str, tuple[Array, float]], path: Path, title: str) -> None:
    """Label -> ascending eigenvalues [1/s^2] and the size below which they are zero; a second axis has frequencies."""
    from matplotlib.ticker import LogFormatter

    figure = style.new_figure(8.0, 5.6, title)
    axes = figure.subplots()
    least = min((float(v[v > zero].min(initial=math.inf)) for v, zero in spectra.values()), default=math.inf)
    floor = (least if math.isfinite(least) else 1.0) / BELOW
    for k, (label, (values, zero)) in enumerate(spectra.items()):
        index, colour = np.arange(1, len(values) + 1), COLOURS[k % len(COLOURS)]
        mark: dict[str, Any] = {"markersize": 4.0 if len(values) <= 100 else 0.0, "marker": "o"}
        axes.plot(index, np.where(values > zero, values, np.nan), color=colour, linewidth=1.8, label=label, **mark)
        few: dict[str, Any] = {"linestyle": "none", "color": colour, "markersize": 5.0, "zorder": 3}
        flat, unstable = np.abs(values) <= zero, values < -zero
        # curves of several bodies without stiffness are drawn beside each other, not on top
        axes.plot(index[flat], np.full(flat.sum(), floor * 1.5**-k), marker="v", **few)
        axes.plot(index[unstable], -values[unstable], marker="x", **few)
        if flat.any():
            axes.plot([], [], marker="v", label=f"no stiffness ({flat.sum()})", **few)
        if unstable.any():
            axes.plot([], [], marker="x", label=f"unstable, -λ ({unstable.sum()})", **few)
    axes.set_yscale("log")
    style.dress(axes, "eigenvalue λ  [1/s²]")
    axes.set_xlabel("mode  [number]", fontsize=12.5, color=style.INK)
    hertz = axes.secondary_yaxis("right", functions=(_frequency, _eigenvalue))
    hertz.set_ylabel("frequency  [Hz]", fontsize=12.5, color=style.INK)
    hertz.tick_params(which="both", labelsize=11.5, colors=style.INK, length=3)
    for ticks in (hertz.yaxis.set_major_formatter, hertz.yaxis.set_minor_formatter):
        ticks(LogFormatter(minor_thresholds=(2.0, 0.5)))  # plain figures; between decades only if there are few
    style.legend_below(figure, axes, columns=3)
    style.save(figure, path)


def plot_mode_shapes(
    mesh: Mesh, x: Array, shapes: Array, names: Sequence[str], path: Path, title: str, up: str = "y"
) -> None:
    """A grid of the body moved by each of the shapes (s, n, 3), over its outline at x; lighter means larger displacement."""
    columns = min(3, len(shapes))
    rows = -(-len(shapes) // columns)
    height = HEAD + TILE * rows
    figure = style.new_figure(max(8.0, 3.4 * columns), height, title)
    figure.set_layout_engine(None)  # the automatic layout leaves wide gaps around 3D axes
    triangles, edges = surface(mesh), _loose_edges(mesh)
    turn = list(AXES[up])
    diagonal = float(np.linalg.norm(np.ptp(x, axis=0))) or 1.0
    for k, (shape, name) in enumerate(zip(shapes, names, strict=True)):
        place = (k % columns / columns, (rows - 1 - k // columns) * TILE / height, 1 / columns, 0.9 * TILE / height)
        axes: Any = figure.add_axes(place, projection="3d")
        size = np.linalg.norm(shape, axis=1)
        moved = x + AMPLITUDE * diagonal / (size.max() or 1.0) * shape
        _draw(axes, x[:, turn], moved[:, turn], triangles, edges, size / (size.max() or 1.0))
        axes.set_title(name, fontsize=11.5, color=style.INK, y=1.0)
    style.save(figure, path)


def _draw(axes: Axes3D, rest: Array, moved: Array, triangles: Ints, edges: Ints, size: Array) -> None:
    from matplotlib import colormaps
    from mpl_toolkits.mplot3d.art3d import Line3DCollection, Poly3DCollection

    colours = colormaps["viridis"]
    outline = np.concatenate([unique_edges(triangles), edges]) if len(triangles) else edges
    axes.add_collection3d(Line3DCollection(rest[outline], colors="#999999", linewidths=0.4, alpha=0.45))
    if len(triangles):
        faces = colours(0.1 + 0.9 * size[triangles].mean(axis=1))
        lines = (0.0, 0.0, 0.0, 0.25) if len(triangles) < 3000 else "none"
        axes.add_collection3d(Poly3DCollection(moved[triangles], facecolors=faces, edgecolors=lines, linewidths=0.3))
    if len(edges):
        strands = colours(0.1 + 0.9 * size[edges].mean(axis=1))
        axes.add_collection3d(Line3DCollection(moved[edges], colors=strands, linewidths=1.4))
    low, high = np.minimum(rest, moved).min(axis=0), np.maximum(rest, moved).max(axis=0)
    middle, half = (low + high) / 2, np.maximum((high - low) / 2, 0.02 * float((high - low).max() or 1.0))
    axes.set(xlim=_span(middle, half, 0), ylim=_span(middle, half, 1), zlim=_span(middle, half, 2))
    axes.set_box_aspect(tuple(half), zoom=1.0)
    axes.set_proj_type("ortho")
    axes.view_init(elev=22, azim=30)
    axes.set_axis_off()


def _span(middle: Array, half: Array, axis: int) -> tuple[float, float]:
    return float(middle[axis] - half[axis]), float(middle[axis] + half[axis])


def _loose_edges(mesh: Mesh) -> Ints:
    """Edges of bodies that have no surface: ropes and nets."""
    covered = np.zeros(mesh.n, dtype=bool)
    covered[surface(mesh)] = True
    return mesh.edges[~covered[mesh.edges].any(axis=1)]


def _frequency(value: Any) -> Any:
    return np.sqrt(np.maximum(value, 0.0)) / (2.0 * np.pi)


def _eigenvalue(frequency: Any) -> Any:
    return (2.0 * np.pi * np.asarray(frequency)) ** 2
