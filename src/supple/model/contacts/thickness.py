"""Thickness of surfaces in contact, suitable contact distances, and meshes that are too fine for the thickness."""

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
"""Default contact distance relative to the longest side of the smallest body."""


def vertex_thickness(parts: Sequence[Placed], n: int) -> Array:
    """(n,) thickness of the part of each vertex [m]."""
    thickness = np.zeros(n)
    for part in parts:
        thickness[part.span] = part.thickness or 0.0
    return thickness


def usual_distance(parts: Sequence[Placed], size: float) -> float:
    """Default contact distance [m]: the smallest thickness of a part, within sensible bounds, or a fraction of
    `size`, the longest side of the smallest body [m]."""
    given = [part.thickness for part in parts if part.thickness]
    return min(max(min(given), DISTANCES[0] * size), SHARE * size) if given else SHARE * size


def rest_problems(parts: Sequence[Placed], patches: Ints, distance: float) -> Iterator[str]:
    """Thick surfaces that would be in self-contact at rest, since parts that share no vertex are too close."""
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
                f"{part.path}.thickness: parts of '{part.name}' that share no vertex are "
                f"{np.sqrt(found.min()):.3g} m apart at rest, but thickness {thickness:g} m and contact distance "
                f"{distance:g} m need more than {thickness + distance:.3g} m; take longer edges, reduce either, or "
                "self_contact = false"
            )
