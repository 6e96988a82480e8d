"""Thickness of surfaces in contact: what each part has, which distance suits it, and meshes that are too fine for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from supple.contact.surfaces.distances import squared_distances
from supple.contact.surfaces.surface import ContactSurface
from supple.contact.surfaces.touching import Touching
from supple.mesh.topology import surface
from supple.model.contacts.sensible import DISTANCES
from supple.model.placed import Placed
from supple.types import Array, Ints

SHARE = 0.01
"""Contact distance over the longest side of the smallest body, unless a scene says otherwise."""


def vertex_thickness(parts: Sequence[Placed], n: int) -> Array:
    """(n,) thickness of the part that each vertex belongs to [m]."""
    thickness = np.zeros(n)
    for part in parts:
        thickness[part.span] = part.thickness or 0.0
    return thickness


def usual_distance(parts: Sequence[Placed], size: float) -> float:
    """Contact distance where none is given [m]: that of the thinnest part with a thickness, within sensible bounds, or a
    share of `size`, the longest side of the smallest body [m]."""
    given = [part.thickness for part in parts if part.thickness]
    return min(max(min(given), DISTANCES[0] * size), SHARE * size) if given else SHARE * size


def rest_problems(parts: Sequence[Placed], patches: Ints, distance: float) -> Iterator[str]:
    """Thick surfaces that would feel themselves at rest, since parts of them that share no vertex are too near."""
    for part in parts:
        triangles, thickness = surface(part.mesh), part.thickness or 0.0
        own = patches[part.span] - patches[part.span].min()
        if not (thickness and len(triangles) and own.any()):
            continue
        X = part.mesh.vertices
        near = Touching(ContactSurface(X, triangles, own, np.full(len(X), thickness)), distance).at(X)
        found = np.concatenate([squared_distances(pairs.kind, X, pairs.corners) for pairs in near])
        if len(found):
            yield (
                f"{part.path}.thickness: places of '{part.name}' that share no vertex are only "
                f"{np.sqrt(found.min()):.3g} m apart at rest, but a thickness of {thickness:g} m and a contact distance of "
                f"{distance:g} m need more than {thickness + distance:.3g} m; take longer edges, less of either, or "
                "self_contact = false"
            )
