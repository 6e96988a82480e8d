"""Springs in a step with frozen directions: links between fixed combinations of vertices (Su, Sheth and Fedkiw 2013).

Link s has coefficients c_si, d = sum_i c_si x_i, a direction u and the length l = u . d. While the direction is fixed,
dl/dx_i = c_si u, and the link pulls vertex i with -F c_si u. Its energy is kappa/2 (l - rest)^2. A spring of rest
length zero needs no direction: its energy is the sum of three links along the axes.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from supple.types import Array, Ints


@dataclass(frozen=True)
class Links:
    """Rows of links at one configuration."""

    vertices: Ints
    """(s, k) vertices of each link."""
    c: Array
    """(s, k) their coefficients [-]."""
    u: Array
    """(s, 3) unit directions; zero for a link that has shrunk to a point and so has none."""
    length: Array
    """(s,) length along u, signed where the rest length is zero [m]."""
    rest: Array
    """(s,) rest lengths [m]."""
    kappa: Array
    """(s,) stiffnesses [N/m]."""

    @property
    def energy(self) -> Array:
        """(s,) energies [J]."""
        return self.energy_at(self.length)

    def energy_at(self, length: Array) -> Array:
        """(s,) energies at other lengths [J]."""
        return 0.5 * self.kappa * (length - self.rest) ** 2

    def only(self, chosen: npt.NDArray[np.bool_]) -> Links:
        """Some of the links."""
        return Links(*(getattr(self, f.name)[chosen] for f in fields(self)))

    def along(self, field: Array) -> Array:
        """(s,) u . sum_i c_i f_i of a field over the vertices (n, 3)."""
        return np.einsum("sk,skj,sj->s", self.c, field[self.vertices], self.u)


@runtime_checkable
class Linked(Protocol):
    """An energy term that is made of such springs."""

    def links(self, x: Array) -> Links:
        """The links at x; their number and order never change."""

    def lengths_after(self, x0: Array, x1: Array) -> Array:
        """(s,) lengths at x1 of the links that the term has at x0 [m]."""


def join_links(parts: list[Links]) -> Links:
    """All links concatenated; links with fewer vertices are padded with zero coefficients."""
    if len(parts) == 1:
        return parts[0]
    k = max((part.c.shape[1] for part in parts), default=1)
    total = sum(len(part.c) for part in parts)
    vertices, c = np.zeros((total, k), np.int32), np.zeros((total, k))
    first = 0
    for part in parts:
        rows, columns = slice(first, first + len(part.c)), slice(part.c.shape[1])
        vertices[rows], c[rows, columns] = part.vertices[:, :1], part.c
        vertices[rows, columns] = part.vertices
        first += len(part.c)
    names = ("length", "rest", "kappa")
    numbers = (np.concatenate([np.empty(0), *(getattr(part, name) for part in parts)]) for name in names)
    return Links(vertices, c, np.concatenate([np.empty((0, 3)), *(part.u for part in parts)]), *numbers)


def straight_links(vertices: Ints, c: Array, d: Array, length: Array, rest: Array, kappa: Array) -> Links:
    """Springs between points that do not slide: one link along d, or three along the axes where rest is zero."""
    point = length <= 1e-9 * rest
    u = np.where(point[:, None], 0.0, d / np.where(length > 0.0, length, 1.0)[:, None])
    own, none = rest > 0.0, rest <= 0.0
    if own.all():
        return Links(vertices, c, u, length, rest, kappa)

    def rows(values: np.ndarray) -> np.ndarray:
        return np.concatenate([values[own], np.repeat(values[none], 3, axis=0)])

    axes = np.tile(np.eye(3), (int(none.sum()), 1))
    lengths = straight_lengths(d, length, rest)
    return Links(rows(vertices), rows(c), np.concatenate([u[own], axes]), lengths, rows(rest), rows(kappa))


def straight_lengths(d: Array, length: Array, rest: Array) -> Array:
    """Lengths in the order of `straight_links`."""
    return np.concatenate([length[rest > 0.0], d[rest <= 0.0].ravel()])
