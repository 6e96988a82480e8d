"""The process of a live simulation: receives messages, steps, and stores each frame in the slot."""

from __future__ import annotations

import multiprocessing
import queue
import time
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from supple.errors import RecordError, SuppleError
from supple.linalg.compiling import on_first_compile
from supple.scene.text.load import read_scene
from supple.scene.text.plugins import load_plugin
from supple.types import Array, Ints
from supple.viewer.figures import INDEX, figures_of
from supple.viewer.messages import (
    Change,
    Colour,
    Colouring,
    Cut,
    Hold,
    Message,
    Play,
    RealTime,
    Record,
    Release,
    Reset,
    Step,
    Stop,
)
from supple.viewer.pace import Pace
from supple.viewer.session import Session
from supple.viewer.settings import Settings
from supple.viewer.slot import LARGEST, Shape, Slot
from supple.viewer.tape import Tape

IDLE, BRIEF = 0.1, 0.002
"""Longest wait for a message: while paused, and while following another simulation [s]."""
LATE = 0.25
"""Lag beyond which a simulation does not try to catch up with real time [s]."""
STRAIN_PERIOD = 0.1
"""Shortest interval between strain energies while playing [s]."""


@dataclass(frozen=True)
class Assignment:
    """Start data of a process."""

    scene: str
    """The scene as TOML."""
    folder: str
    """Folder of the scene's mesh files."""
    settings: Settings
    slot: str
    shape: Shape
    shown: Ints
    """Vertices used by the page."""
    leader: str = ""
    """Slot of the simulation whose time this one follows; empty: real time."""
    playing: bool = False
    real_time: bool = True
    plugins: tuple[str, ...] = ()
    """Files that the user allowed."""
    resets: int = 0
    """Number of earlier resets of the leader; a follower waits until both counts agree."""


def work(job: Assignment, inbox: Any, outbox: Any) -> None:
    """The body of the process; ends with a Stop, or when the parent process is gone."""
    notes = Notes(outbox)
    on_first_compile(notes.compiling)
    worker = None
    try:
        worker = Worker(job, inbox, notes)
        worker.run()
    except SuppleError as problem:
        notes.put(str(problem))
    finally:
        if worker is not None:
            worker.close()


class Notes:
    """Sentences for the page; the one about compilation is withdrawn once it has ended."""

    def __init__(self, queue: Any) -> None:
        self._queue, self._stale = queue, False

    def put(self, sentence: str) -> None:
        self._queue.put(sentence)
        self._stale = False

    def compiling(self) -> None:
        self.put("compiling kernels, once on this machine ...")
        self._stale = True

    def refresh(self) -> None:
        """To be called between steps."""
        if self._stale:
            self.put("")


class Worker:
    """A session, its clock and its slot."""

    def __init__(self, job: Assignment, inbox: Any, notes: Notes) -> None:
        self._job, self._inbox, self._notes = job, inbox, notes
        self._slot = Slot.attach(job.slot, job.shape)
        self._leader = Slot.attach(job.leader, job.shape) if job.leader else None
        for plugin in job.plugins:
            load_plugin(plugin)
        self._session = Session(read_scene(tomllib.loads(job.scene), Path(job.folder)), job.settings)
        self._playing, self._real_time = job.playing, job.real_time
        self._resets = job.resets
        self._colouring = Colouring.NOTHING
        self._strains: Array = np.zeros(len(job.shown))
        self._strains_at = -1.0
        self._clock = (0.0, 0.0)
        self._pace = Pace()
        self._tape: Tape | None = None

    def run(self) -> None:
        """Run until a stop message, or until the parent is gone."""
        parent = multiprocessing.parent_process()
        self._set_clock()
        self._show()
        self._notes.put("")
        while parent is None or parent.is_alive():
            wait = self._wait()
            messages = self._messages(wait)
            for message in messages:
                if isinstance(message, Stop):
                    return
                self._attempt(message)
            if messages:
                self._show()
            elif wait <= 0.0:
                self._attempt(None)
                self._show()
            self._notes.refresh()

    def close(self) -> None:
        """Release the memory."""
        self._cut("closing the page")
        self._session.close()
        self._slot.close()
        if self._leader is not None:
            self._leader.close()

    def _messages(self, wait: float) -> list[Message]:
        """All received messages, with consecutive changes or pulls merged; waits at most `wait` seconds for one."""
        found: list[Message] = []
        try:
            found.append(self._inbox.get(timeout=wait) if wait > 0.0 else self._inbox.get_nowait())
            while True:
                message = self._inbox.get_nowait()
                if isinstance(message, Change | Hold) and type(found[-1]) is type(message):
                    found.pop()
                found.append(message)
        except queue.Empty:
            return found

    def _wait(self) -> float:
        """Time until the next step is due [s]; 0 if due."""
        if self._leader is not None:
            same = self._leader.figure(INDEX["resets"]) == self._resets
            ahead = self._leader.figure(INDEX["time"]) - self._session.state.t
            return 0.0 if same and ahead > 0.5 * self._session.settings.step and self._playing else BRIEF
        if not self._playing:
            return IDLE
        if not self._real_time:
            return 0.0
        wall, t = self._clock
        due = wall + self._session.state.t + self._session.settings.step - t
        late = time.perf_counter() - due
        if late > LATE:
            self._set_clock()
        return max(0.0, min(-late, IDLE))

    def _attempt(self, message: Message | None) -> None:
        """Handle a message, or step; a failure pauses the simulation and is reported."""
        try:
            if message is None:
                self._step()
                self._pace.mark(time.perf_counter(), self._session.state.t)
            else:
                self._obey(message)
        except SuppleError as problem:
            self._playing = False
            self._notes.put(f"paused: {problem}")

    def _obey(self, message: Message) -> None:
        session = self._session
        match message:
            case Play(on) if self._leader is None:
                self._playing = on
            case Step() if self._leader is None:
                self._playing = False
                self._step()
            case Reset():
                self._cut("the reset")
                session.reset()
                self._resets += 1
                self._playing |= self._leader is not None
            case Change(settings):
                anew = session.change(settings)
                if self._tape is not None:
                    self._tape.changed()
                self._notes.put("parameters changed: the energy ledger restarts" if anew else "")
            case Hold(vertex, target):
                session.hold(vertex, target)
            case Release():
                session.release()
            case Colour(by):
                self._colouring = by
            case RealTime(on):
                self._real_time = on
            case Record(folder) if self._leader is None:
                self._cut()
                self._tape = Tape(Path(folder), session)
                self._notes.put(f"recording into {folder}")
            case Cut():
                self._cut("you")
        self._set_clock()
        self._pace.restart(*self._clock)

    def _step(self) -> None:
        frames = self._session.step()
        try:
            if self._tape is not None:
                self._tape.add(frames)
        except RecordError:
            self._cut("an error")
            raise
        told = [frame.note for frame in frames if frame.note]
        if told:
            self._notes.put(told[-1])

    def _cut(self, by: str = "another one") -> None:
        """End the recording, if there is one; `by`: the cause."""
        if self._tape is None:
            return
        tape, self._tape = self._tape, None
        count, problem = len(tape), tape.close()
        words = f"recording ended by {by}: {count} frames in {tape.path}; view it with `supple view {tape.path}`"
        self._notes.put(problem or words)

    def _set_clock(self) -> None:
        self._clock = (time.perf_counter(), self._session.state.t)

    def _show(self) -> None:
        state, shown = self._session.state, self._job.shown
        recorded = -1 if self._tape is None else len(self._tape)
        figures = figures_of(self._session, self._playing, self._resets, self._pace.value, recorded)
        self._slot.put(figures, state.x[shown], self._values())

    def _values(self) -> Array:
        """(k,) values of the coloured quantity."""
        if self._colouring is Colouring.SPEED:
            v = self._session.state.v[self._job.shown]
            return np.linalg.norm(np.clip(v, -LARGEST, LARGEST), axis=1)
        now = time.perf_counter()
        due = not self._playing or now - self._strains_at >= STRAIN_PERIOD
        if self._colouring is Colouring.STRAIN and due:
            with np.errstate(over="ignore", invalid="ignore"):  # of a run that diverges; the page shows that as such
                self._strains = np.nan_to_num(self._session.energy_density()[self._job.shown], nan=LARGEST)
            self._strains_at = now
        return self._strains
