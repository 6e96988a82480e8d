"""Draws the pictures of docs/reference: the columns of the energy balance, and the conventions for axes, groups and signs.

    python tools/draw_reference.py [NAME ...]

Names are those of PICTURES; without any, all are drawn, in half a minute.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from contextlib import chdir
from pathlib import Path
from typing import Any

import numpy as np
from draw_start import reduced
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

import supple as sp
from supple.render import style
from supple.types import Array

IMAGES = Path(__file__).parent.parent / "docs" / "images"
DAMPED = ("run", "jelly", "--set", "damping=[{name='viscosity', shear=5}]")
STACKED = ("kinetic", "elastic", "gravity", "dissipated")
COLOURS = {**style.ENERGY_COLOURS, "dissipated": "#bbbbbb"}
RED, BLUE, GREEN, ORANGE = "#d55e00", "#0072b2", "#009e73", "#e69f00"


def history_columns() -> Figure:
    """The balance of one scene with two methods."""
    figure = style.new_figure(10.0, 4.4, "The columns of the balance, for a damped jelly on a shaken plate")
    first, second = figure.subplots(1, 2, sharey=True)
    for axes, method in ((first, "avf"), (second, "backward-euler")):
        words = [*DAMPED, "--set", f"integrator.name={method}", "--out", method]
        subprocess.run([sys.executable, "-m", "supple", *words], check=True, stdout=subprocess.DEVNULL)
        draw_balance(axes, sp.open_run(method).history)
        axes.set_title(method, fontsize=12.5, color=style.INK, loc="left", family="monospace")
        axes.set_xlabel("time  [s]", fontsize=12.5, color=style.INK)
    style.dress(first, "energy  [J]")
    style.dress(second, "")
    style.legend_below(figure, second, columns=6)
    return figure


def draw_balance(axes: Axes, history: dict[str, Array]) -> None:
    """The stacked energies, and the energy put in; the gap between them is the residual."""
    t = history["time"]
    axes.stackplot(t, *(history[name] for name in STACKED), labels=STACKED, colors=[COLOURS[name] for name in STACKED])
    given = history["total"][0] + history["external_work"]
    stack = history["total"] + history["dissipated"]
    axes.fill_between(t, stack, given, facecolor="white", edgecolor=RED, hatch="///", linewidth=0.0, label="residual")
    axes.plot(t, given, color=style.INK, linewidth=2.0, label="total(row 0) + external_work")
    axes.set_xlim(t[0], t[-1])
    axes.set_ylim(0.0, 1.08 * given.max())


def conventions() -> Figure:
    """Axes and groups of a bar, the sign of a rotation, the order of the vertices of a tet."""
    figure = style.new_figure(10.0, 3.3, "Axes, groups and signs")
    panels = figure.subplots(1, 3, width_ratios=(1.5, 1.2, 1.0))
    titles = ("up axis y, groups of a bar", "spin = [0, 0, 0.8], after 0 and 1 s", "tet of positive volume")
    for axes, draw, words in zip(panels, (draw_groups, draw_rotation, draw_tet), titles, strict=True):
        draw(axes)
        axes.set_title(words, fontsize=12, color=style.INK, pad=12)
        axes.set_aspect("equal")
        axes.margins(0.08)
        axes.set_axis_off()
    return figure


def seen(x: Any, ahead: tuple[float, float, float] = (0.55, 0.4, 1.0)) -> Array:
    """Right and up on the page, and distance towards the viewer."""
    out = np.array(ahead) / np.linalg.norm(ahead)
    right = np.cross([0.0, 1.0, 0.0], out)
    right /= np.linalg.norm(right)
    return np.asarray(x, dtype=float) @ np.array([right, np.cross(out, right), out]).T


def draw_groups(axes: Axes) -> None:
    """A bar of supple, with the vertices of some of its groups."""
    mesh = solid(sp.Bar(cells=(4, 2, 2), size=(1.0, 0.5, 0.5))).mesh
    draw_solid(axes, mesh.vertices, outside(mesh.tets), "#e3ebf2")
    middle = mesh.vertices.mean(axis=0)
    for name, colour, size in (("front", ORANGE, 9), ("right", BLUE, 6), ("top", GREEN, 6)):
        axes.plot(*seen(mesh.vertices[mesh.group(name)]).T[:2], "o", color=colour, markersize=size, zorder=8)
    labels = {"right": (BLUE, [0.85, 0, 0]), "top": (GREEN, [0, 0.5, 0]), "front": (ORANGE, [0, -0.08, 0.25])}
    for name, (colour, way) in labels.items():
        axes.text(
            *seen(middle + way)[:2], name, color=colour, fontsize=12.5, ha="center", va="center", zorder=9,
            fontweight="bold", bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.5},
        )  # fmt: skip
    for name, way in (("left", [-0.7, 0.1, 0.28]), ("bottom", [0.12, -0.5, 0]), ("back", [0.42, 0.3, -0.6])):
        axes.text(*seen(middle + way)[:2], name, color="#666666", fontsize=12.5, ha="center", va="center")
    draw_axes(axes, mesh.vertices.min(axis=0) - [0.75, 0.05, -0.5], 0.3)


def draw_axes(axes: Axes, origin: Array, length: float) -> None:
    for k, name in enumerate("xyz"):
        start, end, beyond = (seen(origin + factor * length * np.eye(3)[k])[:2] for factor in (0.0, 1.0, 1.35))
        axes.annotate("", end, start, arrowprops={"arrowstyle": "->", "color": style.INK, "linewidth": 1.4})
        axes.text(*beyond, name, fontsize=12.5, color=style.INK, ha="center", va="center")
        axes.plot(*np.array([start, beyond]).T, alpha=0.0)


def solid(shape: sp.Bar, spin: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> sp.Model:
    body = sp.Body(shape, sp.StVK.from_young(1e7, 0.3), initial=sp.Initial(spin=spin))
    return sp.assemble(sp.World([body], gravity=0.0))


def outside(tets: Array) -> Array:
    """Faces that belong to one tet only."""
    faces = np.sort(tets[:, [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]]].reshape(-1, 3), axis=1)
    kinds, counts = np.unique(faces, axis=0, return_counts=True)
    return np.asarray(kinds[counts == 1])


def draw_solid(axes: Axes, x: Array, faces: Array, colour: str) -> None:
    """The faces, the nearest last, darker where they look away from the light."""
    corners = x[faces][np.argsort(seen(x[faces]).mean(axis=1)[:, 2])]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals *= np.sign((normals * (corners.mean(axis=1) - x.mean(axis=0))).sum(axis=1))[:, None]
    light = normals @ (0.35, 0.9, 0.25) / np.linalg.norm(normals, axis=1)
    shades = np.array(to_rgb(colour)) * (0.86 + 0.14 * np.clip(light, -1, 1))[:, None]
    axes.add_collection(
        PolyCollection(seen(corners)[:, :, :2], facecolors=shades, edgecolors="#9fb0c0", linewidths=0.4)
    )
    axes.plot(*seen(x).T[:2], alpha=0.0)


def draw_rotation(axes: Axes) -> None:
    """A free bar with a positive spin about z, at the start and later."""
    model = solid(sp.Bar(cells=(4, 1, 1), size=(1.0, 0.2, 0.2)), spin=(0.0, 0.0, 0.8))
    *_, last = sp.simulate(model, sp.AVF(), h=0.02, steps=50)
    faces = outside(model.mesh.tets)
    draw_solid(axes, model.mesh.vertices, faces, "#f0f0f0")
    draw_solid(axes, last.state.x, faces, "#b9d4ea")
    middle = model.mesh.vertices.mean(axis=0)
    angles = np.linspace(0.12, 0.62, 20)
    arc = middle + 0.72 * np.stack([np.cos(angles), np.sin(angles), 0 * angles], axis=1)
    axes.plot(*seen(arc).T[:2], color=RED, linewidth=1.8)
    axes.annotate(
        "", seen(arc)[-1][:2], seen(arc)[-3][:2], arrowprops={"arrowstyle": "->", "color": RED, "linewidth": 1.8}
    )
    draw_axes(axes, middle - [0.55, 0.45, -0.3], 0.22)


def draw_tet(axes: Axes) -> None:
    x = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    assert np.linalg.det(x[1:] - x[0]) > 0
    places = seen(x, (0.8, 0.45, 1.0))[:, :2]
    axes.fill(*places[[1, 2, 3]].T, color="#d9efe2")
    for a, b in ((1, 2), (2, 3), (3, 1)):
        axes.plot(*places[[a, b]].T, color=style.INK, linewidth=1.4)
    for k in (1, 2, 3):
        axes.plot(*places[[0, k]].T, color=style.INK, linewidth=1.0, linestyle="dashed")
    for k, place in enumerate(places):
        away = place + 0.09 * (place - places.mean(axis=0)) / np.linalg.norm(place - places.mean(axis=0))
        axes.text(*away, f"x{k}", fontsize=12.5, color=style.INK, ha="center", va="center")


PICTURES = {"history-columns": history_columns, "conventions": conventions}
"""Pictures by name; the file is `docs/images/NAME.png`."""


def main(names: list[str]) -> None:
    if unknown := set(names) - set(PICTURES):
        sys.exit(f"unknown: {', '.join(sorted(unknown))}; known: {', '.join(PICTURES)}")
    for name in names or PICTURES:
        with tempfile.TemporaryDirectory() as folder, chdir(folder):
            reduced(PICTURES[name](), IMAGES / f"{name}.png")


if __name__ == "__main__":
    main(sys.argv[1:])
