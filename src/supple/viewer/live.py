"""The live page: a simulation in a separate process, shown and controlled in the browser.

The page requests the newest frame about thirty times per second. It never makes the simulation wait: a slow or closed tab
has no effect on it, and all tabs show the same.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from supple.coarsening.fine_cover import FineCover
from supple.errors import SuppleError
from supple.escaping import markdown
from supple.mesh.embedding.cover import Cover
from supple.model.model import Model
from supple.recording.scenery import scenery_of
from supple.runs.model_files import model_of
from supple.scene.tables.scene import Scene
from supple.types import Array
from supple.viewer.changed import as_scene, changed
from supple.viewer.figures import INDEX, describe
from supple.viewer.ghost import GHOST_OPACITY, Ghost
from supple.viewer.keeping import Keeping
from supple.viewer.messages import Change, Colour, Hold, Message, Release, Reset
from supple.viewer.page.body_view import BodyView, GhostView
from supple.viewer.page.busy_sign import BusySign
from supple.viewer.page.colours import method_colour
from supple.viewer.page.controls import Buttons, Controls
from supple.viewer.page.follow import Follow
from supple.viewer.page.handle_view import HandleView
from supple.viewer.page.painter import Painter
from supple.viewer.page.patches import model_patches
from supple.viewer.page.plots import Plots
from supple.viewer.page.props import add_props, shape_points
from supple.viewer.page.room import room_for
from supple.viewer.page.server import furnish
from supple.viewer.page.surface import mesh_surface
from supple.viewer.settings import settings_of
from supple.viewer.simulation import Simulation
from supple.viewer.slot import Singles

if TYPE_CHECKING:
    from viser import ViserServer

PERIOD = 1 / 30
PLOT_EVERY, TEXT_EVERY = 5, 4
"""Frames between two updates of the plots and of the text."""
FARTHEST = 1000.0
"""Largest pull distance from the start, in sizes of the visible scene."""
STARTING = "starting the simulation ..."
HINT = "shift + drag: pull the body"


class LivePage:
    """One page; `refresh` updates it, `close` stops its simulations."""

    def __init__(
        self,
        server: ViserServer,
        scene: Scene,
        ghost: str = "",
        real_time: bool = True,
        out: Path = Path("runs"),
    ) -> None:
        """`out`: folder for saved scenes and recordings."""
        setup = scene.make()
        model = setup.assemble()  # problems of a scene are reported before a process starts
        self._server, self._scene = server, scene
        self._meshes = [placed.mesh for placed in model.placed]
        self._surface = mesh_surface(model.mesh, _covers(model))
        self._start = model.state.x[self._surface.vertices].astype(np.float32)
        settings = settings_of(setup)
        self._draw_scenery(model)
        self._busy = BusySign(server)
        self._text = server.gui.add_markdown(STARTING)
        self._note = server.gui.add_markdown(HINT)
        Buttons(server, self._send)
        self._follow = Follow(server, self._start[self._body.own])
        self._painter = Painter(server, self._body)
        self._painter.choice.on_update(lambda _: self._send(Colour(self._painter.chosen)))
        with server.gui.add_folder("look and feel"):
            self._controls = Controls(server, setup.world, settings, self._changed, ghost)
        with server.gui.add_folder("keep"):
            self._keeping = Keeping(server, out, _name(scene), self._present, self._send)
        self._plots = Plots(server, other=ghost)
        self._handle = HandleView(server, 0.012 * float(np.linalg.norm(np.ptp(self._start[self._body.own], axis=0))))
        self._held: tuple[int, int, Any] | None = None
        self._reach = _reach(self._start)
        self._body.on_pull(self._pulled)
        server.on_client_disconnect(lambda client: self._pulled(client.client_id, None, None))
        self._ghost: Ghost | None = None
        self._lock = threading.Lock()  # callbacks of the panel run on separate threads
        self._number, self._frames = -1, 0
        self._values: Singles = np.zeros(len(self._start), dtype=np.float32)
        self.simulation = Simulation(scene, self._surface.vertices, settings, real_time=real_time)

    @property
    def alive(self) -> bool:
        """Whether the simulation still runs."""
        return self.simulation.alive

    def refresh(self) -> None:
        """Show the newest frame, if there is a new one."""
        self._switch_ghost()
        self._tell_notes()
        self._busy.refresh()
        shown = self.simulation.latest(self._number)
        other = self._ghost.refresh() if self._ghost is not None else np.nan
        if shown is None:
            if self._painter.stale:
                self._painter.paint(self._values)
            return
        self._number, self._values = shown.number, shown.values
        self._frames += 1
        still = not shown.figures[INDEX["playing"]]
        self._busy.answered(not still, float(shown.figures[INDEX["pace"]]))
        self._keeping.refresh(int(shown.figures[INDEX["recorded"]]))
        with self._server.atomic():
            self._body.show(shown.x)
            self._props.show(float(shown.figures[INDEX["time"]]))
            self._follow.refresh(shown.x[self._body.own])
            self._painter.paint(shown.values)
            self._show_handle()
            self._plots.add(shown.figures, other)
            if still or self._frames % TEXT_EVERY == 0:
                self._text.content = describe(shown.figures)
            if still or self._frames % PLOT_EVERY == 0:
                self._plots.send()

    def close(self) -> None:
        """Stop the processes."""
        with suppress(Exception):  # the page may be half gone; the processes must end in any case
            if self._ghost is not None:
                self._ghost.close()
        self.simulation.close()

    def _send(self, message: Message) -> None:
        self._busy.asked()
        with self._lock:
            self.simulation.send(message)
            if self._ghost is not None:
                self._ghost.simulation.send(message)

    def _changed(self) -> None:
        settings = self._controls.settings
        self._busy.asked("rebuilding")
        with self._lock:
            self.simulation.send(Change(settings))
            if self._ghost is not None:
                self._ghost.simulation.send(Change(replace(settings, integrator=self._ghost.method)))

    def _present(self) -> Scene:
        """The scene with the current panel settings."""
        return as_scene(self._scene, changed(self._scene.make(), self._meshes, self._controls.settings))

    def _draw_scenery(self, model: Model) -> None:
        scenery = scenery_of(self._scene.model_dump(exclude_none=True))
        self._patches = model_patches(model, scenery, self._surface)
        bodies = _body_positions(model)
        obstacles = np.concatenate([shape_points(scenery), model.state.x[len(bodies) :]])
        up = self._scene.world.up
        furnish(self._server, room_for(bodies, obstacles, scenery, up, _room(model, up)))
        self._props = add_props(self._server, scenery, bodies)
        self._body = BodyView(self._server, "/body", self._surface, self._patches, self._start)

    def _pulled(self, who: int, vertex: int | None, target: Any) -> None:
        """One tab pulls at a time; the mice of the others have no effect meanwhile."""
        if self._held is not None and self._held[0] != who:
            return
        if vertex is None:
            if self._held is not None:
                self._held = None
                self._send(Release())
            return
        x, y, z = np.clip(target, *self._reach).tolist()
        self._held = (who, vertex, np.array([x, y, z]))
        self._send(Hold(int(self._surface.vertices[vertex]), (x, y, z)))

    def _show_handle(self) -> None:
        held = self._held
        if held is None:
            self._handle.hide()
        else:
            self._handle.show(self._body.x[held[1]], held[2])

    def _switch_ghost(self) -> None:
        """Start or stop the second simulation according to the panel; both restart."""
        wanted = self._controls.ghost
        if wanted == (self._ghost.method if self._ghost is not None else ""):
            return
        with self._lock:
            old, self._ghost = self._ghost, None
            if old is not None:
                old.close()
            if wanted:
                self.simulation.send(Reset())
                settings = replace(self._controls.settings, integrator=wanted)
                process = Simulation(self._scene, self._surface.vertices, settings, leader=self.simulation)
                view = GhostView(
                    self._server, self._surface, self._patches, self._start, method_colour(wanted), GHOST_OPACITY
                )
                self._ghost = Ghost(wanted, process, view)
        self._plots.compare(wanted)

    def _tell_notes(self) -> None:
        note = self.simulation.note()
        other = self._ghost.simulation.note() if self._ghost is not None else None
        if other and not note:
            note = f"ghost: {other}"
        if note is not None:
            self._busy.told(note)
            self._note.content = markdown(note) or HINT
            if note.startswith("recording ended"):
                self._keeping.tell(markdown(note))


def _covers(model: Model) -> list[tuple[int, Cover]]:
    """Embedded surfaces shown instead of bodies, and the first vertices of these bodies."""
    found: list[tuple[int, Cover]] = []
    for placed in model.placed:
        shown = model_of(placed)
        if placed.coarse is not None:
            found.append((placed.first, FineCover(placed.coarse)))
        elif shown is not None and shown.everywhere:
            found.append((placed.first, shown.cover()))
    return found


def _body_positions(model: Model) -> Array:
    """(n, 3) of bodies at the start, without mesh obstacles, which come after them."""
    return model.state.x[: sum(placed.mesh.n for placed in model.bodies)]


def _reach(x: Singles) -> tuple[Array, Array]:
    """The box that limits pulls, so no client can drag a body arbitrarily far."""
    low, high = x.min(axis=0).astype(np.float64), x.max(axis=0).astype(np.float64)
    size = FARTHEST * max(float(np.linalg.norm(high - low)), 1e-9)
    return low - size, high + size


def _name(scene: Scene) -> str:
    """Default name of saved files."""
    return f"{Path(scene.source).stem or 'scene'}-live"


def _room(model: Model, up: str) -> float:
    """Clearance below bodies above the floor [m]: none for standing bodies, half the size for hanging ones."""
    x = _body_positions(model)
    height = x[:, "xyz".index(up)]
    held = model.system.motion.held(model.system.n)[: len(x)]
    size = float(np.linalg.norm(np.ptp(x, axis=0)))
    stands = held.any() and height[held].min() <= height.min() + 0.01 * size and height[held].max() < height.max()
    # a bar that is clamped at one end also has constrained vertices at its lowest height, but its other end is as low
    loose = not held.all() and height[~held].min() <= height.min() + 0.01 * size
    return 0.0 if stands and not loose else 0.5 * size


def run_live(page: LivePage, asked: Sequence[int]) -> None:
    """Update the page until a stop is requested."""
    while not asked:
        began = time.perf_counter()
        page.refresh()
        if not page.alive:
            reason = page.simulation.note()
            raise SuppleError(f"the simulation process ended unexpectedly{f': {reason}' if reason else ''}")
        time.sleep(max(0.001, PERIOD - (time.perf_counter() - began)))
