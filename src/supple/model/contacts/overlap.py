"""Overlaps of parts of a scene with each other, or with an obstacle's shape, at one configuration."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from supple.contact.obstacles.fine_contact import FineContact
from supple.contact.surfaces.barrier_contact import BarrierContact
from supple.contact.surfaces.distances import squared_distances
from supple.contact.surfaces.surface import ContactSurface
from supple.errors import SceneError
from supple.mesh.topology import surface
from supple.model.contacts.contacts import Contacts, blind_to
from supple.model.obstacle import Obstacle
from supple.model.placed import Placed
from supple.types import Array, Ints


@dataclass(frozen=True)
class Overlap:
    """Overlap of two parts, of one part with itself, or of one part with a shape."""

    text: str
    parts: tuple[Placed, ...]
    shape: Obstacle | None = None


def overlaps(contact: Contacts, parts: tuple[Placed, ...], x: Array) -> Iterator[Overlap]:
    """All overlaps at positions x (n, 3); touching counts as overlap, except with shapes that act by penalties."""
    for obstacle, term in contact.shapes:
        if term.keeps_apart and isinstance(term, FineContact):
            yield from _fine_in_shape(obstacle, term, parts, x)
        elif term.keeps_apart:
            yield from _in_shape(obstacle, term.intruders(x), parts, x)
    if contact.between is None:
        return
    shell = contact.between.surface
    crossing = shell.intersects(shell.positions(x))
    patches = np.full(len(x), -1)
    patches[shell.vertices] = shell.patches
    named = []
    for part in parts if crossing else ():
        if len(np.unique(patches[part.span])) > 1:
            named += list(_crossing((part,), patches, x))
    for pair in combinations(parts, 2):
        unseen = all(part.is_obstacle for part in pair) or blind_to(*pair)
        if not unseen and _boxes_meet(*pair, x):
            found = list(_crossing(pair, patches, x)) if crossing else []
            named += found or list(_inside(pair, x))
    yield from named
    if shell.thickness.any():
        yield from _too_near(contact.between, parts, x, [overlap.parts for overlap in named])


def _in_shape(obstacle: Obstacle, intruders: Ints, parts: tuple[Placed, ...], x: Array) -> Iterator[Overlap]:
    for part in parts:
        own = part.holds(intruders)
        name = part.name
        if len(own):
            place = ", ".join(f"{c:.4g}" for c in x[own[0]])
            if obstacle.shape.lost(x[own]).any():
                raise SceneError(
                    f"{part.path}: no point of the surface of '{obstacle.name}' was found from the vertices of '{name}', the "
                    f"first is at [{place}]; give an equation that is defined and not steep around the bodies"
                )
            text = f"{len(own)} vertices are in '{obstacle.name}', the first is {own[0] - part.first} at [{place}]"
            yield Overlap(f"{part.path}: '{name}': {text}", (part,), obstacle)
        elif part.is_obstacle or not obstacle.acts_on(name):
            continue
        elif any(_within(point, part, x) for point in obstacle.shape.middles()):
            yield Overlap(f"{part.path}: '{name}' has '{obstacle.name}' inside", (part,), obstacle)


def _fine_in_shape(obstacle: Obstacle, term: FineContact, parts: tuple[Placed, ...], x: Array) -> Iterator[Overlap]:
    """A coarse body whose fine surface overlaps a shape."""
    inside = term.intruders(x)
    if len(inside):
        part = next(part for part in parts if len(part.holds(term.elements[0])))
        place = ", ".join(f"{c:.4g}" for c in term.positions(x)[inside[0]])
        text = f"{len(inside)} vertices of its fine surface are in '{obstacle.name}', the first is {inside[0]} at [{place}]"
        yield Overlap(f"{part.path}: '{part.name}': {text}", (part,), obstacle)


def _crossing(parts: tuple[Placed, ...], patches: Ints, x: Array) -> Iterator[Overlap]:
    """Intersecting triangles of one part, or of two."""
    triangles = np.concatenate([surface(part.mesh) + np.int32(part.first) for part in parts])
    own = patches
    if len(parts) == 2:
        own = np.zeros_like(patches)
        own[parts[1].span] = 1

    def cross(chosen: Ints) -> bool:
        shell = ContactSurface(x, chosen, own)
        return shell.intersects(shell.positions(x))

    if len(triangles) and cross(triangles):
        a, b = _first_pair(cross, triangles)
        names = [(part, k - before) for k in (a, b) for part, before in _owner(parts, k)]
        words = " and ".join(f"triangle {k} of '{part.name}'" for part, k in names)
        what = "intersects itself" if len(parts) == 1 else "intersect"
        who = " and ".join(f"'{part.name}'" for part in parts)
        yield Overlap(f"{parts[0].path}: {who} {what} at the start: {words}", parts)


def _too_near(
    contact: BarrierContact, parts: tuple[Placed, ...], x: Array, known: list[tuple[Placed, ...]]
) -> Iterator[Overlap]:
    """Parts without intersection whose distance, mutual or within a part, is below the sum of half thicknesses."""
    owner = np.repeat(np.arange(len(parts)), [part.mesh.n for part in parts])
    least: dict[tuple[int, ...], tuple[float, float]] = {}
    for pairs in (found.pressed(x) for found in contact.pairs(x)):
        distances = np.sqrt(squared_distances(pairs.kind, x, pairs.corners)).tolist()
        for row, d, xi in zip(owner[pairs.corners].tolist(), distances, pairs.offset.tolist(), strict=True):
            who = tuple(sorted(set(row)))
            least[who] = min(least.get(who, (d, xi)), (d, xi))
    for who, (d, xi) in sorted(least.items()):
        these = tuple(parts[k] for k in who)
        if these not in known:
            names = " and ".join(f"'{part.name}'" for part in these)
            what = f"{names} are" if len(these) == 2 else f"parts of {names} that share no vertex are"
            text = f"{what} {d:.3g} m apart at the start, but their thickness needs more than {xi:.3g} m"
            yield Overlap(f"{these[0].path}: {text}", these)


def _owner(parts: tuple[Placed, ...], triangle: int) -> Iterator[tuple[Placed, int]]:
    """The part of a triangle in the merged list, and the number of triangles before its own."""
    before = 0
    for part in parts:
        count = len(surface(part.mesh))
        if before <= triangle < before + count:
            yield part, before
        before += count


def _first_pair(cross: Callable[[Ints], bool], triangles: Ints) -> tuple[int, int]:
    """Two intersecting triangles, by bisection: the last of the shortest leading list with an intersection, and the
    first of the shortest list that ends with it."""
    low, high = 0, len(triangles)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if cross(triangles[:middle]) else (middle, high)
    first, last = 0, high - 1
    while last - first > 1:
        middle = (first + last) // 2
        first, last = (middle, last) if cross(triangles[middle:high]) else (first, middle)
    return first, high - 1


def _inside(pair: tuple[Placed, ...], x: Array) -> Iterator[Overlap]:
    """A part entirely inside the tets of another part, without intersecting surfaces."""
    for inner, outer in (pair, pair[::-1]):
        if _within(x[inner.first], outer, x):
            yield Overlap(f"{outer.path}: '{outer.name}' has '{inner.name}' inside", pair)


def _boxes_meet(a: Placed, b: Placed, x: Array) -> bool:
    (low, high), (lower, upper) = ((x[p.span].min(axis=0), x[p.span].max(axis=0)) for p in (a, b))
    return bool((low <= upper).all() and (lower <= high).all())


def _within(point: Array, part: Placed, x: Array) -> bool:
    """Whether a point lies in a tet of a part."""
    if not part.mesh.is_solid:
        return False
    corners = x[part.span][part.mesh.tets]
    near = (corners.min(axis=1) <= point).all(axis=1) & (corners.max(axis=1) >= point).all(axis=1)
    a = corners[near]
    edges = np.swapaxes(a[:, 1:] - a[:, :1], 1, 2)
    flat = np.abs(np.linalg.det(edges)) <= 0.0
    weights = np.linalg.solve(edges[~flat], (point - a[~flat, 0])[:, :, None])[:, :, 0]
    return bool(((weights >= 0.0).all(axis=1) & (weights.sum(axis=1) <= 1.0)).any())
