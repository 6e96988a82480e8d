"""Springs between bodies: `[[attachment]]`, from each vertex of one place to what is nearest in another one at the start."""

from __future__ import annotations

from typing import Literal, TypeAlias

from supple.scene.tables.fields import NotNegative, Positive
from supple.scene.text.registry_models import Table

INITIAL = "initial"
RestLength: TypeAlias = NotNegative | Literal["initial"]
"""A length, or the distance at the start."""


class Attachment(Table):
    """Springs from vertices of one body to another body, each to what is nearest when the scene begins."""

    vertices: str
    """`body`, or `body.group`: one spring for each of these vertices."""
    to: str
    """`body`, or `body.group`; a mesh obstacle is a body here."""
    onto: Literal["vertex", "surface"] = "vertex"
    """The nearest vertex, or the nearest point of the triangles between vertices of `to`."""
    stiffness: Positive
    """Of each spring [N/m]."""
    rest_length: RestLength = "initial"
    """As long as it is at the start, or a length; 0 pulls the two together [m]."""
    within: Positive | None = None
    """Only vertices that are at most so far away from `to`; all if absent [m]."""
