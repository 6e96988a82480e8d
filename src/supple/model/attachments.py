"""Springs between bodies: from each vertex of one group to the nearest point of another at the start."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from supple.checks import checked
from supple.contact.surfaces.pairs import POINT_TRIANGLE, closest_coefficients
from supple.energies.springs.attachment import Attachments
from supple.energies.springs.springs import HookeSprings
from supple.energies.term import EnergyTerm
from supple.errors import SceneError
from supple.formulas.curves import PositiveChanging
from supple.mesh.topology import surface
from supple.model.changing.drives import at, constants_of, driven
from supple.model.placed import Placed
from supple.model.places import nearest_vertices, place
from supple.types import Array, Ints
from supple.values import NotNegative, Positive

INITIAL = "initial"
RestLength: TypeAlias = NotNegative | Literal["initial"]
"""A length, or the distance at the start."""


@checked
@dataclass(frozen=True)
class Attachment:
    """Springs from vertices of one body to another body, each to the nearest point at the start."""

    vertices: str
    """`body`, or `body.group`: one spring per vertex."""
    to: str
    """`body`, or `body.group`; a mesh obstacle counts as a body here."""
    stiffness: PositiveChanging
    """Stiffness of each spring [N/m]; may change with time."""
    onto: Literal["vertex", "surface"] = "vertex"
    """Attach to the nearest vertex, or to the nearest point of the triangles between vertices of `to`."""
    rest_length: RestLength = "initial"
    """Rest length: the initial distance, or a length; 0 pulls the two together [m]."""
    within: Positive | None = None
    """Largest distance from `to` of attached vertices; all are attached if absent [m]."""


def attachments(tables: Sequence[Attachment], parts: Sequence[Placed], x: Array) -> list[EnergyTerm]:
    """The springs of all tables at the initial positions x (n, 3); all problems are reported together."""
    terms: list[EnergyTerm] = []
    problems: list[str] = []
    for k, table in enumerate(tables):
        try:
            path = f"attachment[{k}]"
            made = _springs(at(table, 0.0, path), parts, x, path)
            drive = constants_of(table, f"attachment.{table.vertices}", where=path)
            terms.append(driven(made, drive))
        except SceneError as error:
            problems += error.problems
    if problems:
        raise SceneError(problems)
    return _together(terms)


def _together(terms: list[EnergyTerm]) -> list[EnergyTerm]:
    """The same terms, with attachments of equal degree and vertex count merged: a few large terms are faster."""
    own = [term for term in terms if isinstance(term, Attachments) and term.drive is None]
    kinds = list(dict.fromkeys((term.degree, term.elements.shape[1]) for term in own))
    groups = [[t for t in own if (t.degree, t.elements.shape[1]) == kind] for kind in kinds]
    joined = [
        Attachments(
            *(
                np.concatenate([getattr(t, name) for t in group])
                for name in ("elements", "coefficients", "rest_length", "stiffness")
            )
        )
        for group in groups
    ]
    return [*joined, *(term for term in terms if not isinstance(term, Attachments) or term.drive is not None)]


def _springs(table: Attachment, parts: Sequence[Placed], x: Array, path: str) -> EnergyTerm:
    own, _ = place(table.vertices, parts, f"{path}.vertices")
    other, part = place(table.to, parts, f"{path}.to")
    shared = np.intersect1d(own, other)
    if len(shared):
        raise SceneError(
            f"{path}: '{table.vertices}' and '{table.to}' have {len(shared)} vertices in common; a body can be attached to "
            "itself only between disjoint groups"
        )
    if table.onto == "vertex":
        elements = np.stack([own, other[nearest_vertices(x[own], x[other])]], axis=1)
        c = np.broadcast_to([1.0, -1.0], elements.shape)
    else:
        elements, c = _feet(own, _triangles(part, other, f"{path}.to"), x)
    distance = np.linalg.norm(np.einsum("mk,mki->mi", c, x[elements]), axis=1)
    near = distance <= (np.inf if table.within is None else table.within)
    if not near.any():
        raise SceneError(
            f"{path}.within: no vertex of '{table.vertices}' is within {table.within:g} m of '{table.to}'; "
            f"the nearest is {distance.min():.3g} m away"
        )
    rest = distance[near] if table.rest_length == INITIAL else np.full(int(near.sum()), float(table.rest_length))
    if table.onto == "vertex" and table.rest_length == INITIAL and rest.any():
        return HookeSprings(x, elements[near], table.stiffness)
    return Attachments(elements[near], c[near], rest, table.stiffness)


def _triangles(part: Placed, vertices: Ints, path: str) -> Ints:
    """Triangles of the body's surface with all corners among these vertices."""
    triangles = surface(part.mesh) + np.int32(part.first)
    inside = triangles[np.isin(triangles, vertices).all(axis=1)]
    if not len(inside):
        raise SceneError(
            f"{path}: no triangles between these vertices of '{part.name}'; "
            'take onto = "vertex", or a group with triangles'
        )
    return inside


def _feet(own: Ints, triangles: Ints, x: Array) -> tuple[Ints, Array]:
    """(p, 4) each vertex with the corners of the nearest triangle, and the coefficients 1, -b1, -b2, -b3 of its projection."""
    from scipy.spatial import cKDTree

    centres = x[triangles].mean(axis=1)
    reach = float(np.linalg.norm(x[triangles] - centres[:, None], axis=2).max())
    tree = cKDTree(centres)
    # the nearest triangle is closer than the nearest centre, and its own centre is at most `reach` farther
    candidates = tree.query_ball_point(x[own], tree.query(x[own])[0] + reach)
    elements, coefficients = np.empty((len(own), 4), np.int32), np.empty((len(own), 4))
    for row, (vertex, found) in enumerate(zip(own, candidates, strict=True)):
        corners = np.column_stack([np.full(len(found), vertex), triangles[np.sort(found)]])
        c = closest_coefficients(POINT_TRIANGLE, x[corners])
        best = int(np.linalg.norm(np.einsum("mk,mki->mi", c, x[corners]), axis=1).argmin())
        elements[row], coefficients[row] = corners[best], c[best]
    return elements, coefficients
