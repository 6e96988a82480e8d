"""The replay page: a recorded run with a time scrubber and the curves of its history."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from supple.escaping import markdown
from supple.recording.film import Film, Moment, open_film
from supple.recording.folder import RunFolder
from supple.recording.history import read_history
from supple.recording.parts import Part
from supple.types import Array
from supple.viewer.figures import INDEX, describe, figures_of_history
from supple.viewer.ghost import GHOST_OPACITY
from supple.viewer.live import PERIOD
from supple.viewer.messages import Colouring
from supple.viewer.page.body_view import BodyView, GhostView
from supple.viewer.page.colours import method_colour
from supple.viewer.page.follow import Follow
from supple.viewer.page.painter import Painter
from supple.viewer.page.patches import film_patches
from supple.viewer.page.plots import POINTS, Plots
from supple.viewer.page.props import add_props, shape_points
from supple.viewer.page.room import room_for
from supple.viewer.page.server import furnish
from supple.viewer.page.surface import PageSurface, film_surface
from supple.viewer.slot import Singles

if TYPE_CHECKING:
    from viser import ViserServer

TICKS = 1000
"""Positions of the scrubber."""
SAMPLED = 20
"""Number of frames used to fit the camera."""


class Take:
    """A film, its surface and the figures of its history; closed by `close`."""

    def __init__(self, folder: RunFolder, coarse: bool = False) -> None:
        """`coarse`: show the simulated mesh of coarse bodies."""
        self.film: Film = open_film(folder, coarse)
        try:
            self.surface: PageSurface = film_surface(self.film)
            self.patches = film_patches(self.film, self.surface)
            self.rows: Array = figures_of_history(read_history(folder.history))
        except BaseException:
            self.film.close()
            raise
        self.name = folder.path.name
        self.method = str(self.film.metadata.get("integrator", ""))

    def at(self, t: float) -> Moment:
        """Time t, or the nearest recorded one."""
        return self.film.at(float(np.clip(t, self.film.times[0], self.film.times[-1])))

    def seen(self, moment: Moment) -> Singles:
        """Positions of the surface."""
        return moment.x[self.surface.vertices]

    def figures(self, t: float) -> Array:
        """Figures of the last step until t."""
        simulated = self.film.clock.simulated(t)
        k = int(np.searchsorted(self.rows[:, INDEX["time"]], simulated + 1e-9, side="right")) - 1
        return self.rows[max(k, 0)]

    def close(self) -> None:
        self.film.close()


class ReplayPage:
    """One film, or one with another as its ghost; the scrubber sets the time."""

    def __init__(self, server: ViserServer, take: Take, other: Take | None = None) -> None:
        self._server, self._take, self._other = server, take, other
        first, last = float(take.film.times[0]), float(take.film.times[-1])
        self._span = (first, last)
        self._t, self._shown_t, self._playing = first, np.nan, False
        start = take.at(first)
        self._furnish()
        self._text = server.gui.add_markdown(f"t = {first:.3f} s")
        server.gui.add_markdown(self._title())
        buttons = server.gui.add_button_group("film", ("play", "pause", "start"))
        buttons.on_click(lambda _: self._pressed(buttons.value))
        tick = max((last - first) / TICKS, 1e-9)
        self._scrubber = server.gui.add_slider("time  [s]", first, max(last, first + tick), tick, first)
        self._scrubber.on_update(self._scrubbed)
        self._speed = server.gui.add_slider("speed", 0.05, 2.0, 0.05, 1.0, hint="1 is real time.")
        self._body = BodyView(server, "/body", take.surface, take.patches, take.seen(start))
        self._follow = Follow(server, take.seen(start)[self._body.own])
        self._painter = Painter(server, self._body)
        self._ghost: GhostView | None = None
        if other is not None:
            x, colour = other.seen(other.at(first)), method_colour(other.method)
            self._ghost = GhostView(server, other.surface, other.patches, x, colour, GHOST_OPACITY)
        self._plots = Plots(server, (first, max(last, first + tick)), other.method if other is not None else "")
        self._chosen = Colouring.NOTHING

    def refresh(self, elapsed: float) -> None:
        """Advance by the elapsed time while playing, and show the current frame."""
        if self._playing:
            self._t = self._t + elapsed * self._speed.value
            if self._t >= self._span[1]:
                self._t, self._playing = self._span[1], False
        if self._t != self._shown_t or self._painter.chosen is not self._chosen or self._painter.stale:
            self._show()

    def _show(self) -> None:
        t = self._t
        moment = self._take.at(t)
        with self._server.atomic():
            x = self._take.seen(moment)
            self._body.show(x)
            self._props.show(t)
            self._follow.refresh(x[self._body.own])
            self._painter.paint(self._values(moment))
            if self._other is not None and self._ghost is not None:
                self._ghost.show(self._other.seen(self._other.at(t)))
            figures = self._take.figures(t).copy()
            figures[INDEX["time"]] = t
            self._text.content = describe(figures)
            self._draw(t)
            if self._playing:
                self._scrubber.value = t
        self._shown_t, self._chosen = t, self._painter.chosen

    def _draw(self, t: float) -> None:
        """The curves up to now, thinned out."""
        rows = self._take.rows
        rows = rows[: max(1, int(np.searchsorted(rows[:, INDEX["time"]], t + 1e-9, side="right")))]
        kept = rows[np.unique(np.linspace(0, len(rows) - 1, POINTS).astype(int))]
        beside = None
        if self._other is not None:
            theirs = self._other.rows
            beside = np.interp(kept[:, INDEX["time"]], theirs[:, INDEX["time"]], theirs[:, INDEX["total"]])
        self._plots.draw(kept, beside)

    def _values(self, moment: Moment) -> Singles:
        seen = self._take.surface.vertices
        if self._painter.chosen is Colouring.SPEED:
            return np.linalg.norm(moment.v[seen], axis=1)
        return moment.energy[seen]

    def _pressed(self, button: str) -> None:
        if button == "start" or (button == "play" and self._t >= self._span[1]):
            self._t = self._span[0]
            self._scrubber.value = self._t
        self._playing = button == "play"

    def _scrubbed(self, event: Any) -> None:
        if event.client_id is not None:  # the program itself moves the scrubber while it plays
            self._playing = False
            self._t = float(np.clip(self._scrubber.value, *self._span))

    def _furnish(self) -> None:
        """Room for the bodies in a sample of frames, and for obstacles."""
        film = self._take.film
        some = np.unique(np.linspace(0, len(film) - 1, SAMPLED).astype(int))
        frames = [film.frame(int(k)).x for k in some]
        bodies = _places(frames, [part for part in film.parts if not part.obstacle])
        endless = [part for part in film.parts if part.shape is not None and part.shape.flat]
        moving = _places(frames, [p for p in film.parts if p.obstacle and not p.still and p not in endless])
        obstacles = np.concatenate([shape_points(film.scenery), moving])
        furnish(self._server, room_for(bodies, obstacles, film.scenery, film.up))
        self._props = add_props(self._server, film.scenery, bodies)

    def _title(self) -> str:
        takes = [take for take in (self._take, self._other) if take is not None]
        words = " beside ".join(f"**{markdown(take.name)}** ({markdown(take.method)})" for take in takes)
        return f"{words}, {len(self._take.film)} frames"


def _places(frames: Sequence[Singles], parts: Sequence[Part]) -> Array:
    """(n, 3) all finite positions of the parts in the frames."""
    found = [x[part.vertices] for x in frames for part in parts]
    places = np.concatenate([np.empty((0, 3)), *found]).astype(np.float64)
    return places[np.isfinite(places).all(axis=1)]


def run_replay(page: ReplayPage, asked: Sequence[int]) -> None:
    """Update the page until a stop is requested."""
    before = time.perf_counter()
    while not asked:
        now = time.perf_counter()
        page.refresh(now - before)
        before = now
        time.sleep(max(0.001, PERIOD - (time.perf_counter() - now)))
