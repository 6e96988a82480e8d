"""Bodies and obstacles of the films as triangles, at a time: what both renderers draw."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
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
"""Points of the surfaces that throw shadows on the ground, at most."""
BEHIND = 0.018
"""How much further away than they are obstacles count, over the size of the film. Shapes hold off vertices only: an edge
of theirs between two vertices of a cloth would stick out of it."""


@dataclass(frozen=True)
class Piece:
    """One surface of one body or obstacle of a run."""

    part: Part
    surface: DrawnSurface | Balls | Wrap
    scaled: bool
    """Whether its colour shows a quantity; else it has that of the part."""
    scatter: Scatter | Thinned | None
    """Throws a shadow on the ground; None for walls, which would darken everything."""

    def sunk(self, size: float) -> float:
        """How far below the ground of a film of that size it is cut off [m]."""
        return size * (1e-3 + (BEHIND if self.part.obstacle else 0.0))

    def pushed(self, shot: Shot) -> float:
        """How much further from the eye than it is it counts; obstacles do."""
        return 1.0 + (BEHIND * shot.size / shot.view.distance if self.part.obstacle else 0.0)

    @property
    def changes(self) -> bool:
        """Whether it has other faces at every time."""
        return isinstance(self.surface, Balls | Wrap)

    @property
    def fixed_faces(self) -> Ints:
        """(f, 3) those that stay; none of a piece that changes."""
        return np.empty((0, 3), np.int32) if isinstance(self.surface, Balls | Wrap) else self.surface.faces

    @property
    def culled(self) -> bool:
        """Whether it is not to be seen from behind: a wall must not hide what happens before it."""
        return self.surface.closed or isinstance(self.part.shape, HalfSpace)


@dataclass(frozen=True)
class Placed:
    """A piece at a time: points, unit normals and colours (k, 3), faces (f, 3), values (k,) from 0 to 1 for the colour scale.

    Points of obstacles lie where they are seen, but a little further away.
    The colours of a piece that shows a quantity are white: they are a factor of those of the scale.
    """

    piece: Piece
    points: Array
    normals: Array
    colours: Array
    values: Array
    faces: Ints


class Renderer(Protocol):
    """Draws the bodies and obstacles of one run on nothing."""

    def aim(self, shot: Shot) -> None:
        """Take the camera and the lights of this shot, which is the first one at another time."""
        ...

    def draw(self, run: int, placed: list[Placed], behind: Pixels) -> Pixels:
        """(height, width, 4): red, green and blue already multiplied by the cover, and the cover; all from 0 to 1. `behind`:
        what is seen where nothing covers it, for bodies that let light through."""
        ...

    def close(self) -> None:
        """Give back what it holds."""
        ...


def cut_pieces(film: Film, shot: Shot, ground: Ground) -> list[Piece]:
    """All surfaces of a film but its ground; sharp edges are those of its first frame."""
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
    """Where the pieces of a run are at a time, and how dark the shadows on its obstacles are."""

    def __init__(
        self, shot: Shot, pieces: list[Piece], light: LightPicture, coats: Mapping[str, Coat], bakes: bool
    ) -> None:
        """`light`: taken anew at each moment, so that the stages of all runs may share it. `coats`: of a shaded look. `bakes`:
        whether shadows become a part of the colours."""
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
        """Whether shadows are part of the colours: on obstacles, and in shaded looks on all; our own studio finds them pixel by
        pixel."""
        return self._bakes and (self._shot.look.shaded or any(piece.part.obstacle for piece in self.pieces))

    def _colour(self, piece: Piece) -> str:
        return self._coats[piece.part.name].colour if self._coats else piece.part.colour

    def _passes(self, thrown: list[tuple[Piece, Form]]) -> Array:
        """(f, 3) light that faces let through: clear bodies colour it."""
        found = [np.zeros((1, 3))]
        for piece, form in thrown:
            coat = self._coats[piece.part.name]
            passed = 0.75 * coat.feel.clear * np.array(rgb(coat.colour)) ** 2.2
            found.append(np.tile(passed, (len(form.faces), 1)))
        return np.concatenate(found[1:] or found)

    @staticmethod
    def throws(placed: list[Placed]) -> Array:
        """(k, 3) points that throw shadows on the ground."""
        found = [now.piece.scatter.place(now.points) for now in placed if now.piece.scatter]
        return np.concatenate([np.empty((0, 3)), *found])
