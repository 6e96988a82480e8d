"""Patches of one colour on the page: bodies or obstacles as triangles, lines and balls among the points of a surface."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from supple.model.model import Model
from supple.recording.clouds import cloud_spacings
from supple.recording.film import Film
from supple.recording.scenery import Scenery
from supple.types import Ints
from supple.viewer.page.surface import PageSurface


@dataclass(frozen=True)
class Look:
    """Appearance of a body or an obstacle."""

    colour: str
    """`#rrggbb`"""
    obstacle: bool = False
    spacing: float = 0.0
    """Point spacing of a cloud [m]; 0 for other bodies."""


@dataclass(frozen=True, eq=False)
class Patch:
    """`faces`, `edges` and `lone` count within `points`."""

    look: Look
    points: Ints
    """(k,) indices among the points of the surface, ascending."""
    faces: Ints
    """(f, 3)"""
    edges: Ints
    """(e, 2)"""
    lone: Ints
    """(l,) points of clouds."""


def film_patches(film: Film, surface: PageSurface) -> list[Patch]:
    """Patches of all bodies and mesh obstacles of a recorded run; `surface` is that of the film."""
    parts = [part for part in film.parts if part.shape is None]
    looks = [Look(p.colour, p.obstacle, film.spacing(p) if p.cloud else 0.0) for p in parts]
    return cut_patches(surface, [p.span[1] for p in parts], looks)


def model_patches(model: Model, scenery: Scenery, surface: PageSurface) -> list[Patch]:
    """Patches of all bodies and mesh obstacles of a model."""
    names = [placed.name for placed in model.placed]
    spacings = dict(cloud_spacings(model.system.clouds, [(placed.name, placed.span) for placed in model.placed]))
    looks = [Look(scenery.colours[name], name in scenery.obstacles, spacings.get(name, 0.0)) for name in names]
    return cut_patches(surface, [placed.span.stop for placed in model.placed], looks)


def cut_patches(surface: PageSurface, ends: Sequence[int], looks: Sequence[Look]) -> list[Patch]:
    """One patch per distinct look. Each look applies to the vertices up to its end; ends ascend."""
    owner = np.searchsorted(ends, surface.vertices, side="right")
    fine = [np.full(skin.cover.n, owner[skin.first]) for skin in surface.skins]
    owners = np.concatenate([owner, *fine])
    patches = []
    for look in dict.fromkeys(looks):
        alike = np.isin(owners, [k for k, other in enumerate(looks) if other == look])
        faces, edges = (cells[alike[cells[:, 0]]] for cells in (surface.faces, surface.edges))
        lone = surface.lone[alike[surface.lone]] if look.spacing else surface.lone[:0]
        points = np.unique(np.concatenate([faces.ravel(), edges.ravel(), lone])).astype(np.int32)
        if len(points):
            local = (np.searchsorted(points, cells).astype(np.int32) for cells in (faces, edges, lone))
            patches.append(Patch(look, points, *local))
    return patches
