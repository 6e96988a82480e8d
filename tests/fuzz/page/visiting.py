"""One visit in a child with limits: the process of the page without its page, and what must hold after all actions."""

from __future__ import annotations

import csv
import queue
import tomllib
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from fuzz.ledger import rounding, rows, unexplained
from fuzz.page.visits import Span, actions, base
from fuzz.text import document
from supple.errors import SuppleError
from supple.recording.folder import RunFolder, RunStatus
from supple.scene.text.load import dump_scene, dump_short, read_scene
from supple.viewer.figures import FIGURES
from supple.viewer.messages import Message, Stop
from supple.viewer.session import Session
from supple.viewer.settings import first_friction, first_poisson, material_choices, settings_of
from supple.viewer.slot import Shape, Slot
from supple.viewer.worker import Assignment, Notes, Worker

LONGEST = 2000
"""Characters of a note."""


class Inbox:
    """The messages of a visit; None says that there are no more for now."""

    def __init__(self, messages: Iterator[Message | None]) -> None:
        self._messages = chain(messages, [Stop()])

    def get(self, timeout: float = 0.0) -> Message:
        found = next(self._messages, None)
        if found is None:
            raise queue.Empty
        return found

    get_nowait = get


class Lines(list[str]):
    """Notes for the page."""

    put = list.append


def scene_text(start: int, number: int) -> str:
    return document(base(start, number).tables)


def visit(start: int, number: int) -> dict[str, Any]:
    """Do everything; returns faults and what was said. Raises SuppleError for a scene that is refused."""
    source = base(start, number)
    source.copy_files(Path())
    scene = read_scene(tomllib.loads(document(source.tables)), Path())
    setup = scene.make()
    model = setup.assemble()
    settings = settings_of(setup)
    x = model.state.x
    span = Span(
        material_choices(setup.world), len(x), float(np.linalg.norm(np.ptp(x, axis=0))),
        first_poisson(setup.world) is not None, first_friction(setup.world) is not None,
    )  # fmt: skip
    slot = Slot.create(Shape(len(FIGURES), len(x)))
    notes = Lines()
    try:
        shown = np.arange(len(x))
        job = Assignment(dump_scene(scene), str(scene.folder), settings, slot.name, slot.shape, shown, real_time=False)
        worker = Worker(job, Inbox(actions(start, number, settings, span)), Notes(notes))
        try:
            worker.run()
            faults = [*_bad_figures(slot), *_saved_otherwise(worker._session)]
        finally:
            worker.close()
    finally:
        slot.close()
    return {"faults": [*faults, *_bad_notes(notes), *_bad_recordings()], "notes": notes}


def _bad_figures(slot: Slot) -> Iterator[str]:
    seen = slot.get(-1)
    if seen is None or not np.isfinite(seen.x).all() or not np.isfinite(seen.values).all():
        yield "positions or colours of the last frame are not finite"


def _bad_notes(notes: Lines) -> Iterator[str]:
    for note in notes:
        if "Traceback" in note or len(note) > LONGEST:
            yield f"a note that is no sentence: {note[:200]}"


def _saved_otherwise(session: Session) -> Iterator[str]:
    """The scene that the page would save starts with the same energy."""
    try:
        again = Session(read_scene(tomllib.loads(dump_short(session.scene)), Path()))
    except SuppleError as error:
        yield f"the saved scene is refused: {error}"
        return
    session.release()
    session.reset()
    ours, theirs = session.ledger.energies.total, again.ledger.energies.total
    if abs(ours - theirs) > 1e-9 * max(session.ledger.energies.scale, abs(ours)):
        yield f"the saved scene starts with {theirs:g} J instead of {ours:g} J"
    again.close()


def _bad_recordings() -> Iterator[str]:
    for folder in sorted(path.parent for path in Path().glob("*/run.json")):
        run = RunFolder.open(folder)
        if run.status is not RunStatus.FINISHED:
            yield f"{folder} is {run.status.value} after the visit"
            continue
        with run.history.open(encoding="utf-8", newline="") as lines:
            if any(cell in ("nan", "inf", "-inf") for row in csv.reader(lines) for cell in row):
                yield f"{folder}: numbers that are not finite"
                continue
        fault = unexplained(rows(run.history), conserving=False, floor=rounding(folder))
        if fault:
            yield f"{folder}: {fault}"
