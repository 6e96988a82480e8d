"""A live simulation as the page sees it: a separate process, messages to it, its newest frame."""

from __future__ import annotations

import contextlib
import queue
from dataclasses import replace
from typing import Self

from supple.interruption.children import deaf_children, spawning
from supple.scene.tables.scene import Scene
from supple.scene.text.load import dump_scene
from supple.scene.text.plugins import loaded_plugins
from supple.types import Ints
from supple.viewer.figures import FIGURES
from supple.viewer.messages import Message, Reset, Stop
from supple.viewer.settings import Settings
from supple.viewer.slot import Shape, Shown, Slot
from supple.viewer.worker import Assignment, work

PATIENCE = 2.0
"""Time allowed for a process to exit [s]."""


class Simulation:
    """Runs from construction until `close`."""

    def __init__(
        self,
        scene: Scene,
        shown: Ints,
        settings: Settings,
        leader: Simulation | None = None,
        real_time: bool = True,
    ) -> None:
        """`shown`: vertices whose positions are needed; `leader`: another simulation of the same scene whose time it follows
        from the leader's last reset on."""
        shape = Shape(len(FIGURES), len(shown))
        self.resets: int = leader.resets if leader else 0
        context = spawning()
        self._slot = Slot.create(shape)
        job = Assignment(
            dump_scene(scene), str(scene.folder), settings, self._slot.name, shape, shown,
            real_time=real_time, plugins=loaded_plugins(),
        )  # fmt: skip
        if leader is not None:
            job = replace(job, leader=leader._slot.name, playing=True, resets=leader.resets)
        self._inbox, self._notes = context.Queue(), context.Queue()
        self._process = context.Process(target=work, args=(job, self._inbox, self._notes), daemon=True)
        try:
            with deaf_children():  # the page decides what requests mean
                self._process.start()
        except BaseException:
            self._slot.close()
            raise

    @property
    def alive(self) -> bool:
        return self._process.is_alive()

    @property
    def pid(self) -> int | None:
        """Process ID."""
        return self._process.pid

    def send(self, message: Message) -> None:
        """Send a message without waiting."""
        self.resets += isinstance(message, Reset)
        self._inbox.put(message)

    def latest(self, after: int = -1) -> Shown | None:
        """The newest frame with a number above `after`, or None."""
        return self._slot.get(after)

    def note(self) -> str | None:
        """The last note since the previous call; None if none."""
        said = None
        with contextlib.suppress(queue.Empty):
            while True:
                said = self._notes.get_nowait()
        return said

    def close(self) -> None:
        """Stop the process, by force if necessary, and remove the shared memory."""
        try:
            if self._process.is_alive():
                self.send(Stop())
                self._process.join(PATIENCE)
            if self._process.is_alive():
                self._process.terminate()
                self._process.join(PATIENCE)
            if self._process.is_alive():
                self._process.kill()
                self._process.join()
        finally:
            for box in (self._inbox, self._notes):
                box.close()
                box.cancel_join_thread()
            self._slot.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
