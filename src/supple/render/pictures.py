"""Whole pictures: for each run the ground with its shadow, bodies and obstacles on it, and the writing over all."""

from __future__ import annotations

from typing import Self

import numpy as np
import numpy.typing as npt

from supple.recording.film import open_film
from supple.recording.folder import RunFolder
from supple.render.caption import fixed_caption, time_caption
from supple.render.drawing.backdrop import Backdrop, Pixels
from supple.render.drawing.pieces import Renderer, Stage, cut_pieces
from supple.render.shot import Shot, moment_at

Picture = npt.NDArray[np.uint8]
"""(height, width, 3)."""


class Pictures:
    """Draws a shot at any time, with the renderer `vtk` or `plain`; opens the films itself."""

    def __init__(self, shot: Shot, renderer: str) -> None:
        self.shot = shot
        self._films = [open_film(RunFolder.open(run), shot.coarse) for run in shot.runs]
        both = list(zip(self._films, shot.grounds, strict=True))
        self._stages = [Stage(shot, cut_pieces(film, shot, ground)) for film, ground in both]
        self._renderer = self._make(renderer)
        self._backdrops = [Backdrop(ground, shot.view, shot.brightness(ground.axes[2])) for _, ground in both]
        caption = fixed_caption(shot)
        self._written = np.nonzero(caption[..., 3])
        self._caption = caption[self._written]

    def draw(self, t: float) -> Picture:
        """The picture at time t [s]."""
        shot = self.shot
        picture = np.ones((shot.height, shot.width, 3), dtype=np.float32)
        for k, film in enumerate(self._films):
            placed = self._stages[k].place(moment_at(film, t))
            bodies = self._renderer.draw(k, placed)
            rows, columns = shot.panel(k)
            backdrop = self._backdrops[k].draw(Stage.throws(placed))
            picture[rows, columns] = _over(backdrop, bodies)
        where, clock = time_caption(shot, t)
        picture[self._written] = _over(picture[self._written], self._caption)
        picture[where] = _over(picture[where], clock)
        return (255 * np.clip(picture, 0, 1) + 0.5).astype(np.uint8)

    def _make(self, renderer: str) -> Renderer:
        pieces = [stage.pieces for stage in self._stages]
        if renderer == "vtk":
            from supple.render.drawing.pyvista_renderer import PyvistaRenderer

            return PyvistaRenderer(self.shot, pieces)
        from supple.render.drawing.plain_renderer import PlainRenderer

        return PlainRenderer(self.shot, pieces)

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
