"""A picture of a mesh from both sides: its faces, groups in colours, and in red the edges where the surface is open.

Drawn by matplotlib, the furthest faces first, so it works anywhere. Back faces are dark: on a closed
body these are oriented inwards.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from supple.mesh.doctor import closed_surface_problems
from supple.mesh.faces.polygons import plain_polygons
from supple.mesh.faces.triangulate import face_normals
from supple.mesh.measure import enclosed_volume
from supple.mesh.mesh import Mesh
from supple.mesh.topology import distinct, half_edges, surface
from supple.render.camera import Camera, View, fit_view
from supple.render.style import INK, save
from supple.types import Array, Ints

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SIDES = {"front": Camera(30, 22), "back": Camera(210, 22)}
WIDTH, HEIGHT = 620, 560
"""Pixels per side."""
PLAIN, BACK, OPEN = "#cfd6dc", "#5b4a63", "#d40000"
GROUPS = ("#56b4e9", "#e69f00", "#009e73", "#cc79a7", "#f0e442", "#0072b2", "#999933", "#88ccee", "#44aa99", "#aa4499")
"""Distinguishable with the common kinds of colour blindness; none resembles the red of open edges."""
FEW = 40
"""Number of vertices up to which a group is drawn as dots, in addition to its faces."""
LINES = 30_000
"""Number of faces above which edges would hide everything else."""


@dataclass(frozen=True)
class _Drawn:
    """The faces of a mesh, prepared once for both sides."""

    mesh: Mesh
    counts: Ints
    corners: Ints
    colours: Array
    """(f, 3)"""
    normals: Array
    triangles: Ints
    open_edges: Ints
    closed: bool
    """Whether back faces are hidden."""


def draw_mesh(mesh: Mesh, file: Path, up: str = "y", title: str = "") -> None:
    """Write the picture; the suffix selects the format."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    drawn = _prepare(mesh)
    used = np.unique(np.concatenate([drawn.corners, mesh.edges.ravel()]))
    figure = Figure(figsize=(2 * WIDTH / 100, (HEIGHT + 70) / 100), dpi=100, facecolor="white")
    FigureCanvasAgg(figure)
    share = HEIGHT / (HEIGHT + 70)
    for k, (name, camera) in enumerate(SIDES.items()):
        axes = figure.add_axes((k / 2, 0.0, 0.5, share))
        axes.axis("off")
        axes.set_xlim(0, WIDTH)
        axes.set_ylim(HEIGHT, 0)
        view = fit_view(camera, up, mesh.vertices[used], WIDTH, HEIGHT)
        _faces(axes, drawn, view)
        _lines(axes, drawn, view)
        _dots(axes, drawn, view)
        axes.text(12, HEIGHT - 12, name, color=INK, fontsize=8)
    figure.text(0.01, 0.985, title, color=INK, fontsize=10, va="top")
    _legend(figure, drawn)
    save(figure, file)


def _prepare(mesh: Mesh) -> _Drawn:
    from matplotlib.colors import to_rgb

    triangles = surface(mesh)
    faces = plain_polygons(triangles) if mesh.polygons is None or mesh.is_solid else mesh.polygons
    colours = np.tile(to_rgb(PLAIN), (len(faces), 1))
    for k, members in enumerate(mesh.groups.values()):
        inside = np.zeros(mesh.n, dtype=bool)
        inside[members] = True
        colours[_all_corners(inside, faces.counts, faces.corners)] = to_rgb(GROUPS[k % len(GROUPS)])
    edges = half_edges(triangles)
    first, _, count = distinct(np.sort(edges, axis=1))
    normals = face_normals(mesh.vertices, faces.counts, faces.corners)
    closed = not closed_surface_problems(triangles) and enclosed_volume(mesh.vertices, triangles) > 0
    return _Drawn(mesh, faces.counts, faces.corners, colours, normals, triangles, edges[first[count != 2]], closed)


def _all_corners(inside: np.ndarray, counts: Ints, corners: Ints) -> np.ndarray:
    """(f,) whether all corners of a face are inside."""
    starts = np.cumsum(counts) - counts
    return np.logical_and.reduceat(inside[corners], starts) if len(counts) else np.empty(0, dtype=bool)


def _faces(axes: Axes, drawn: _Drawn, view: View) -> None:
    from matplotlib.collections import PolyCollection
    from matplotlib.colors import to_rgb

    pixels, depth = view.project(drawn.mesh.vertices)
    starts = np.cumsum(drawn.counts) - drawn.counts
    if not len(starts):
        return
    middle = np.add.reduceat(drawn.mesh.vertices[drawn.corners], starts, axis=0) / drawn.counts[:, None]
    towards = np.einsum("ij,ij->i", drawn.normals, view.eye - middle)
    length = np.linalg.norm(drawn.normals, axis=1) * np.linalg.norm(view.eye - middle, axis=1)
    light = 0.45 + 0.55 * np.abs(np.divide(towards, length, out=np.zeros_like(towards), where=length > 0))
    base = np.where((towards < 0)[:, None], to_rgb(BACK), drawn.colours)
    far = np.add.reduceat(depth[drawn.corners], starts) / drawn.counts
    order = np.argsort(-far)
    order = order[towards[order] > 0] if drawn.closed else order
    shapes = [pixels[drawn.corners[starts[k] : starts[k] + drawn.counts[k]]] for k in order]
    colours = np.clip(base * light[:, None], 0, 1)[order]
    lines = INK if len(shapes) <= LINES else colours
    axes.add_collection(PolyCollection(shapes, facecolors=colours, edgecolors=lines, linewidths=0.25), autolim=False)


def _lines(axes: Axes, drawn: _Drawn, view: View) -> None:
    """Edges of ropes, and in red those where a surface is open or branches."""
    from matplotlib.collections import LineCollection

    pixels, _ = view.project(drawn.mesh.vertices)
    loose = drawn.mesh.edges if not len(drawn.counts) else drawn.mesh.edges[:0]
    for edges, colour, width in ((loose, INK, 0.8), (drawn.open_edges, OPEN, 1.8)):
        axes.add_collection(LineCollection(list(pixels[edges]), colors=colour, linewidths=width), autolim=False)


def _dots(axes: Axes, drawn: _Drawn, view: View) -> None:
    """Vertices of groups that fill no face or are few, unless faces hide them."""
    pixels, depth = view.project(drawn.mesh.vertices)
    seen = np.zeros(drawn.mesh.n, dtype=bool)
    seen[drawn.corners] = True
    seen[drawn.mesh.edges] = True
    for k, members in enumerate(drawn.mesh.groups.values()):
        inside = np.zeros(drawn.mesh.n, dtype=bool)
        inside[members] = True
        filled = np.repeat(_all_corners(inside, drawn.counts, drawn.corners), drawn.counts)
        if len(members) > FEW:
            inside[drawn.corners[filled]] = False
        shown = np.flatnonzero(inside & seen)
        shown = shown[~_hidden(shown, pixels, depth, drawn.triangles)]
        x, y = pixels[shown].T
        axes.scatter(x, y, s=22, color=GROUPS[k % len(GROUPS)], edgecolors=INK, linewidths=0.6, zorder=3)


def _hidden(points: np.ndarray, pixels: Array, depth: Array, triangles: Ints) -> np.ndarray:
    """Mask of the vertices behind a triangle of which they are not a corner."""
    a, b, c = (pixels[triangles[:, j]] for j in range(3))
    area = _cross(b - a, c - a)
    margin = 1e-3 * float(np.ptp(depth))
    found = np.zeros(len(points), dtype=bool)
    for k, vertex in enumerate(points):
        p = pixels[vertex]
        weights = np.stack([_cross(b - p, c - p), _cross(c - p, a - p), _cross(a - p, b - p)], axis=1)
        weights = np.divide(weights, area[:, None], out=np.full_like(weights, -1.0), where=area[:, None] != 0)
        over = (weights > 0).all(axis=1) & (triangles != vertex).all(axis=1)
        found[k] = ((weights[over] * depth[triangles[over]]).sum(axis=1) < depth[vertex] - margin).any()
    return found


def _cross(u: Array, v: Array) -> Array:
    return np.asarray(u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0])


def _legend(figure: Figure, drawn: _Drawn) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    names = [f"{name} ({len(members)})" for name, members in drawn.mesh.groups.items()]
    entries: list[Patch | Line2D] = [Patch(color=GROUPS[k % len(GROUPS)], label=name) for k, name in enumerate(names)]
    if len(drawn.open_edges):
        entries.append(
            Line2D([], [], color=OPEN, linewidth=2, label=f"open or branching edges ({len(drawn.open_edges)})")
        )
    if len(drawn.counts) and not drawn.closed:
        entries.append(Patch(color=BACK, label="backs of faces"))
    figure.legend(handles=entries, loc="upper center", ncols=6, fontsize=8, frameon=False, bbox_to_anchor=(0.5, 0.96))
