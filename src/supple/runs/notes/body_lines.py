"""One line per body at the start of a run: size, mass, vertices, elements and material."""

from __future__ import annotations

from itertools import groupby

import numpy as np

from supple.formulas.source import cut
from supple.mesh.mesh import Mesh
from supple.model.body import Body
from supple.model.model import Model
from supple.model.placed import Placed
from supple.model.plain import NoText, plain
from supple.model.presets.preset import Preset

UNITS = {"young": " Pa", "radius": " m", "axial": " N", "density": " kg/m^3"}
"""Units of material parameters; most have no unit common to all kinds."""


def body_lines(model: Model) -> list[str]:
    """The lines, in the order of the scene; neighbours that differ only in their names share one."""
    words = [f"{given.material.name}: " if isinstance(given.material, Preset) else "" for given in model.world.bodies]
    described = [
        (part.name, _described(part, float(part.mass.sum()), word))
        for part, word in zip(model.bodies, words, strict=True)
    ]
    lines = []
    for text, alike in groupby(described, key=lambda entry: entry[1]):
        names = [name for name, _ in alike]
        several = len(names) > 1
        lines.append(
            f"{names[0]} to {names[-1]}, {len(names)} bodies, each {text}" if several else f"{names[0]}: {text}"
        )
    return lines


def _described(part: Placed, mass: float, word: str) -> str:
    mesh = part.mesh
    size = " x ".join(f"{side:.3g}" for side in part.solid_mesh.extent.tolist())
    parts = f"{mesh.n:,} vertices, {_elements(mesh)}" if part.filled is None else f"{mesh.n:,} material points"
    parts += " on the grid" if part.rides else ""
    return f"{size} m, {mass:.3g} kg, {parts}, {word}{material_words(part.body)}"


def _elements(mesh: Mesh) -> str:
    """Number of elements: tets, triangles or edges."""
    counts = {"tets": len(mesh.tets), "triangles": len(mesh.triangles), "edges": _links(mesh)}
    name, count = next(((name, count) for name, count in counts.items() if count), ("elements", 0))
    return f"{count:,} {name}"


def _links(mesh: Mesh) -> int:
    """Edges along a rope, where the mesh distinguishes them from bending edges."""
    return len(mesh.edge_groups.get("stretch", np.arange(len(mesh.edges))))


def material_words(body: Body) -> str:
    """Name of the material with its values in the scene."""
    try:
        given = {key: value for key, value in plain(body.material).items() if key != "name"}
    except NoText:
        return type(body.material).__name__
    given |= {"energy": cut(given["energy"])} if "energy" in given else {}
    figures = [f"{key} {_figure(value)}{UNITS.get(key, '')}" for key, value in given.items()]
    return f"{body.material.name} ({', '.join(figures)})" if figures else body.material.name


def _figure(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, int | float) and not isinstance(value, bool) else str(value)
