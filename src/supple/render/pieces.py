"""The bodies of the films as triangles, at a time: what both renderers draw."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from supple.recording.film import Film, Moment
from supple.recording.parts import Part
from supple.render.colouring import Colouring
from supple.render.ground import SAMPLES, Pixels, Scatter, scatter
from supple.render.surface import Surface, surfaces
from supple.types import Array


@dataclass(frozen=True)
class Piece:
    """One surface of one body of a run."""

    part: Part
    surface: Surface
    tone: str
    """Its colour if colours show nothing."""
    scatter: Scatter


@dataclass(frozen=True)
class Placed:
    """A piece at a time: points and unit normals (k, 3), values (k,) from 0 to 1 for the colour scale."""

    piece: Piece
    points: Array
    normals: Array
    values: Array

    @property
    def throws(self) -> Array:
        """(k, 3) points that throw its shadow."""
        return self.piece.scatter.place(self.points)


class Renderer(Protocol):
    """Draws the bodies of one run on nothing."""

    def draw(self, run: int, placed: list[Placed]) -> Pixels:
        """(height, width, 4): red, green and blue already multiplied by the cover, and the cover; all from 0 to 1."""
        ...

    def close(self) -> None:
        """Give back what it holds."""
        ...


def cut_pieces(film: Film, tone: str, size: float) -> list[Piece]:
    """All surfaces of a film; sharp edges are those of its first frame."""
    first = np.nan_to_num(np.asarray(film.frame(0).x, dtype=float))
    found = [(part, s) for part in film.parts for s in surfaces(part, first[part.vertices], size)]
    share = SAMPLES // max(1, len(found))
    return [Piece(part, s, tone, scatter(s, s.place(first[part.vertices])[0], share)) for part, s in found]


def place(piece: Piece, moment: Moment, colouring: Colouring) -> Placed:
    """Where a piece is, and its colour values."""
    x = np.nan_to_num(np.asarray(moment.x, dtype=float)[piece.part.vertices], posinf=0.0, neginf=0.0)
    points, normals = piece.surface.place(x)
    return Placed(piece, points, normals, colouring.values(moment)[piece.part.vertices][piece.surface.source])
