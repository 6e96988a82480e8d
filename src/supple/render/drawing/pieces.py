"""Bodies and obstacles of the films as triangles at a given time, for both renderers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Protocol

import numpy as np

from supple.colours import rgb
from supple.contact.obstacles.half_space import HalfSpace
from supple.recording.film import Film, Moment
from supple.recording.parts import Part
from supple.render.cloud import Balls, Wrap
from supple.render.drawing.backdrop import DARK, Pixels
from supple.render.drawing.ground import CELLS, Ground
from supple.render.drawing.scatter import Scatter, Thinned, scatter
from supple.render.drawing.shadow import LightPicture
from supple.render.drawing.studio.smooth import smoothed
from supple.render.drawing.tessellation import tessellate
from supple.render.looks.coats import Coat
from supple.render.shot import Shot
from supple.render.surface import SHARP, SOFT, DrawnSurface, Form, Skin, surfaces
from supple.types import Array, Ints

SAMPLES = 40_000
"""Largest number of surface points that cast shadows on the ground."""
BEHIND = 0.018
"""Depth offset of obstacles, over the size of the film. Obstacles repel vertices only: without the offset, an obstacle edge
between two vertices of a cloth would stick out of it."""

NO_COATS: Mapping[str, Coat] = MappingProxyType({})
"""Colours of the scientific look."""


@dataclass(frozen=True)
class Piece:
    """One surface of one body or obstacle of a run."""

    part: Part
    surface: DrawnSurface | Balls | Wrap
    scaled: bool
    """Whether its colour shows a quantity; otherwise it has the colour of the part."""
    scatter: Scatter | Thinned | None
    """Points that cast a shadow on the ground; None for walls, which would darken everything."""

    def sunk(self, size: float) -> float:
        """Depth below the ground at which it is cut off, for a film of that size [m]."""
        return size * (1e-3 + (BEHIND if self.part.obstacle else 0.0))

    def pushed(self, shot: Shot) -> float:
        """Depth offset away from the eye; nonzero for obstacles."""
        return 1.0 + (BEHIND * shot.size / shot.view.distance if self.part.obstacle else 0.0)

    @property
    def changes(self) -> bool:
        """Whether its faces change over time."""
        return isinstance(self.surface, Balls | Wrap)

    @property
    def fixed_faces(self) -> Ints:
        """(f, 3) fixed faces; none for a piece with changing faces."""
        return np.empty((0, 3), np.int32) if isinstance(self.surface, Balls | Wrap) else self.surface.faces

    @property
    def culled(self) -> bool:
        """Whether back faces are culled: a wall must not hide the bodies in front of it."""
        return self.surface.closed or isinstance(self.part.shape, HalfSpace)


@dataclass(frozen=True)
class Placed:
    """A piece at a time: points, unit normals and colours (k, 3), faces (f, 3), values (k,) from 0 to 1 for the colour scale.

    Points of obstacles are moved slightly away from the viewer along the line of sight.
    The colours of a piece that shows a quantity are white: they multiply the colours of the scale.
    """

    piece: Piece
    points: Array
    normals: Array
    colours: Array
    values: Array
    faces: Ints


class Renderer(Protocol):
    """Draws the bodies and obstacles of one run on a transparent background."""

    def aim(self, shot: Shot) -> None:
        """Use the camera and lights of this shot, which is the first shot at another time."""
        ...

    def draw(self, run: int, placed: list[Placed], behind: Pixels) -> Pixels:
        """(height, width, 4): premultiplied red, green and blue, and coverage; all from 0 to 1. `behind`: the background,
        for bodies that transmit light."""
        ...

    def close(self) -> None:
        """Release its resources."""
        ...


def cut_pieces(film: Film, shot: Shot, ground: Ground) -> list[Piece]:
    """All surfaces of a film except its ground; sharp edges are those of its first frame."""
    first = np.nan_to_num(np.asarray(film.frame(0).x, dtype=float))
    found: list[tuple[Part, DrawnSurface | Balls | Wrap]] = []
    for part in film.parts:
        if part.name == ground.name:
            continue
        x = first[part.vertices]
        if part.cloud:
            spacing = film.spacing(part)
            found.append((part, Wrap(spacing) if shot.wrapped else Balls(spacing)))
        for surface in surfaces(part, x, shot.size, SOFT if shot.look.shaded else SHARP):
            if part.obstacle and isinstance(surface, Skin):
                surface = tessellate(surface, x, *shot.box, shot.size)
            if shot.look.shaded and not part.obstacle:
                surface = smoothed(surface)
            found.append((part, surface))
    share = int(SAMPLES * (ground.grid / CELLS) ** 2) // max(1, len(found))
    return [_piece(part, s, first[part.vertices], shot, share) for part, s in found]


def _piece(part: Part, surface: DrawnSurface | Balls | Wrap, x: Array, shot: Shot, share: int) -> Piece:
    thrown: Scatter | Thinned | None = None
    if isinstance(surface, Balls | Wrap):
        thrown = Thinned(share)
    elif not isinstance(part.shape, HalfSpace):
        thrown = scatter(surface.faces, surface.place(x)[0], share)
    return Piece(part, surface, shot.colouring.shown and not part.obstacle, thrown)


def _form(surface: DrawnSurface | Balls | Wrap, x: Array) -> Form:
    if isinstance(surface, Balls | Wrap):
        return surface.form(x)
    return Form(*surface.place(x), surface.faces, surface.source)


class Stage:
    """Positions of the pieces of a run at a time, and shadows on its obstacles."""

    def __init__(
        self,
        shot: Shot,
        pieces: list[Piece],
        light: LightPicture,
        coats: Mapping[str, Coat] = NO_COATS,
        bakes: bool = True,
    ) -> None:
        """`light`: computed anew at each time, so all runs may share it. `coats`: of a shaded look. `bakes`:
        whether shadows are baked into the colours."""
        self.pieces, self._light, self._coats, self._bakes = pieces, light, coats, bakes
        self.aim(shot)

    def aim(self, shot: Shot) -> None:
        """See `Renderer`."""
        self._shot, self._eye = shot, shot.view.eye

    def place(self, moment: Moment) -> list[Placed]:
        """All pieces at that moment."""
        values = self._shot.colouring.values(moment)
        where = []
        for piece in self.pieces:
            x = np.nan_to_num(np.asarray(moment.x, dtype=float)[piece.part.vertices], posinf=0.0, neginf=0.0)
            where.append(_form(piece.surface, x))
        if self._baked or self._shot.look.shaded:
            thrown = [(p, form) for p, form in zip(self.pieces, where, strict=True) if p.scatter]
            self._light.take([(form.points, form.faces) for _, form in thrown])
            if self._shot.look.shaded:
                self._light.passes = self._passes(thrown)
        placed = []
        for piece, form in zip(self.pieces, where, strict=True):
            points, normals = form.points, form.normals
            colours = np.tile([1.0, 1.0, 1.0] if piece.scaled else rgb(self._colour(piece)), (len(points), 1))
            if self._baked and (piece.part.obstacle or self._shot.look.shaded):
                colours *= 1.0 - DARK * self._light.darkness(points, normals)[:, None]
            if piece.part.obstacle:
                points = self._eye + (points - self._eye) * piece.pushed(self._shot)
            own = form.values(values[piece.part.vertices])
            placed.append(Placed(piece, points, normals, colours, own, form.faces))
        return placed

    @property
    def _baked(self) -> bool:
        """Whether shadows are baked into the colours: on obstacles, and in shaded looks on everything; the built-in studio
        computes them per pixel."""
        return self._bakes and (self._shot.look.shaded or any(piece.part.obstacle for piece in self.pieces))

    def _colour(self, piece: Piece) -> str:
        return self._coats[piece.part.name].colour if self._coats else piece.part.colour

    def _passes(self, thrown: list[tuple[Piece, Form]]) -> Array:
        """(f, 3) light transmitted by faces, coloured by clear bodies."""
        found = [np.zeros((1, 3))]
        for piece, form in thrown:
            coat = self._coats[piece.part.name]
            passed = 0.75 * coat.feel.clear * np.array(rgb(coat.colour)) ** 2.2
            found.append(np.tile(passed, (len(form.faces), 1)))
        return np.concatenate(found[1:] or found)

    @staticmethod
    def throws(placed: list[Placed]) -> Array:
        """(k, 3) points that cast shadows on the ground."""
        found = [now.piece.scatter.place(now.points) for now in placed if now.piece.scatter]
        return np.concatenate([np.empty((0, 3)), *found])
