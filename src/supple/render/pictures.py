"""Whole pictures: for each run the ground with its shadow, bodies and obstacles on it, and captions on top."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from functools import cached_property
from typing import Self

import numpy as np
import numpy.typing as npt

from supple.render.caption import fixed_caption, time_caption
from supple.render.drawing.backdrop import Backdrop, Pixels
from supple.render.drawing.pieces import Renderer, Stage, cut_pieces
from supple.render.drawing.shadow import CELLS, FINE, LightPicture
from supple.render.drawing.studio.cyclorama import Cyclorama
from supple.render.films import open_films
from supple.render.looks.coats import Coat
from supple.render.shot import Shot, moment_at

Picture = npt.NDArray[np.uint8]
"""(height, width, 3)."""


class Pictures:
    """Draws a shot at any time, with the renderer `vtk` or `plain`; opens the films itself."""

    def __init__(self, shot: Shot, renderer: str) -> None:
        self.shot = shot
        self._opened = ExitStack()
        self._films = self._opened.enter_context(open_films(shot.runs, shot.coarse))
        both = list(zip(self._films, shot.grounds, strict=True))
        low, high = shot.box
        cells = FINE if shot.look.shaded else CELLS
        self._light = LightPicture(shot.light, (low + high) / 2, 0.75 * shot.size, cells)
        bakes = renderer == "vtk" or not shot.look.shaded
        coats: Sequence[Mapping[str, Coat]] = shot.coats or [{}] * len(both)
        self._stages = [
            Stage(shot, cut_pieces(film, shot, ground), self._light, own, bakes)
            for (film, ground), own in zip(both, coats, strict=True)
        ]
        self._renderer = self._make(renderer)
        self._seen = shot
        self._backdrops = self._made_backdrops()

    def draw(self, t: float) -> Picture:
        """The picture at time t [s]."""
        shot = self.shot
        picture = np.ones((shot.layout.height, shot.layout.width, 3), dtype=np.float32)
        for k in range(len(self._films)):
            picture[shot.layout.panels[k].slices] = self._scene(k, t)
        written, caption = self._caption
        picture[written] = _over(picture[written], caption)
        if shot.captions:
            where, clock = time_caption(shot, t)
            picture[where] = _over(picture[where], clock)
        return _bytes(picture)

    def panel(self, k: int, t: float) -> Picture:
        """Run k alone at time t [s], without captions: captions take longer to draw than a small picture."""
        return _bytes(self._scene(k, t))

    def _scene(self, k: int, t: float) -> Pixels:
        self._aim(t)
        placed = self._stages[k].place(moment_at(self._films[k], self.shot.shown(t)))
        behind = self._backdrops[k].draw(Stage.throws(placed), self._light)
        return _over(behind, self._renderer.draw(k, placed, behind))

    def _aim(self, t: float) -> None:
        """Move camera and lights to their positions at time t."""
        if self.shot.motion is None:
            return
        self._seen = self.shot.at(t)
        self._light.turn(self._seen.light)
        for stage in self._stages:
            stage.aim(self._seen)
        self._renderer.aim(self._seen)
        self._backdrops = self._made_backdrops()

    def _made_backdrops(self) -> Sequence[Backdrop | Cyclorama]:
        shot = self._seen
        if shot.look.shaded:
            key = shot.light / np.linalg.norm(shot.light)
            return [Cyclorama(ground, shot.view, shot.look, key) for ground in shot.grounds]
        return [Backdrop(ground, shot.view, shot.brightness(ground.axes[2])) for ground in shot.grounds]

    @cached_property
    def _caption(self) -> tuple[tuple[npt.NDArray[np.intp], ...], Pixels]:
        """Captions of every picture: covered pixels and their colours."""
        caption = fixed_caption(self.shot)
        written = np.nonzero(caption[..., 3])
        return written, caption[written]

    def _make(self, renderer: str) -> Renderer:
        pieces = [stage.pieces for stage in self._stages]
        if renderer == "vtk":
            from supple.render.drawing.pyvista_renderer import PyvistaRenderer

            return PyvistaRenderer(self.shot, pieces)
        if self.shot.look.shaded:
            from supple.render.drawing.studio.renderer import StudioRenderer

            return StudioRenderer(self.shot, pieces, self._light)
        from supple.render.drawing.plain_renderer import PlainRenderer

        return PlainRenderer(self.shot, pieces)

    def close(self) -> None:
        """Close films and windows."""
        self._renderer.close()
        self._opened.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _bytes(picture: Pixels) -> Picture:
    return (255 * np.clip(picture, 0, 1) + 0.5).astype(np.uint8)


def _over(below: Pixels, above: Pixels) -> Pixels:
    """Blend premultiplied colours over opaque ones."""
    laid: Pixels = above[..., :3] + (1 - above[..., 3:]) * below
    return laid
