"""Whole pictures: for each run the ground with its shadow, the bodies on it, and the writing over all."""

from __future__ import annotations

from typing import Self

import numpy as np
import numpy.typing as npt

from supple.recording.film import open_film
from supple.recording.folder import RunFolder
from supple.render.caption import fixed_caption, time_caption
from supple.render.ground import Backdrop, Pixels
from supple.render.pieces import Renderer, cut_pieces, place
from supple.render.shot import Shot, moment_at

Picture = npt.NDArray[np.uint8]
"""(height, width, 3)."""


class Pictures:
    """Draws a shot at any time, with the renderer `vtk` or `plain`; opens the films itself."""

    def __init__(self, shot: Shot, renderer: str) -> None:
        self.shot = shot
        self._films = [open_film(RunFolder.open(run), shot.coarse) for run in shot.runs]
        self._pieces = [cut_pieces(film, tone, shot.size) for film, tone in zip(self._films, shot.tones, strict=True)]
        self._renderer = self._make(renderer)
        self._backdrop = Backdrop(shot.ground, shot.view)
        caption = fixed_caption(shot)
        self._written = np.nonzero(caption[..., 3])
        self._caption = caption[self._written]

    def draw(self, t: float) -> Picture:
        """The picture at time t [s]."""
        shot = self.shot
        picture = np.ones((shot.height, shot.width, 3), dtype=np.float32)
        for k, film in enumerate(self._films):
            moment = moment_at(film, t)
            placed = [place(piece, moment, shot.colouring) for piece in self._pieces[k]]
            bodies = self._renderer.draw(k, placed)
            rows, columns = shot.panel(k)
            backdrop = self._backdrop.draw(np.concatenate([p.throws for p in placed]))
            picture[rows, columns] = _over(backdrop, bodies)
        where, clock = time_caption(shot, t)
        picture[self._written] = _over(picture[self._written], self._caption)
        picture[where] = _over(picture[where], clock)
        return (255 * np.clip(picture, 0, 1) + 0.5).astype(np.uint8)

    def _make(self, renderer: str) -> Renderer:
        if renderer == "vtk":
            from supple.render.pyvista_renderer import PyvistaRenderer

            return PyvistaRenderer(self.shot, self._pieces)
        from supple.render.plain_renderer import PlainRenderer

        return PlainRenderer(self.shot, self._pieces)

    def close(self) -> None:
        """Close films and windows."""
        self._renderer.close()
        for film in self._films:
            film.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _over(below: Pixels, above: Pixels) -> Pixels:
    """Lay colours that are multiplied by their cover over opaque ones."""
    laid: Pixels = above[..., :3] + (1 - above[..., 3:]) * below
    return laid
