"""Figures and colours of runs that diverge are finite, and computed without a warning on the terminal."""

import queue
from dataclasses import replace

import numpy as np
import pytest
from small_bar import bar

from supple.scene.text.load import dump_scene
from supple.viewer.figures import FIGURES, INDEX, figures_of, figures_of_history
from supple.viewer.messages import Colour, Colouring, Stop
from supple.viewer.session import Session
from supple.viewer.settings import settings_of
from supple.viewer.slot import Shape, Slot
from supple.viewer.worker import Assignment, Notes, Worker

FAST, FAR = 1e200, 1e80


@pytest.mark.filterwarnings("error")
def test_momenta_whose_squares_overflow() -> None:
    session = Session(bar())
    session._progress.state = replace(session.state, v=np.full_like(session.state.v, FAST))
    figures = figures_of(session, playing=True, resets=0)
    assert FAST < figures[INDEX["momentum"]] < np.inf
    columns = (
        "time",
        "total",
        "kinetic",
        "elastic",
        "other",
        "newton_iterations",
        *(a + b for a in "pl" for b in "xyz"),
    )
    recorded = figures_of_history({name: np.array([0.0, FAST]) for name in columns})
    assert recorded[:, INDEX["momentum"]] == pytest.approx([0.0, np.sqrt(3.0) * FAST])


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("by", Colouring)
def test_colours(by: Colouring) -> None:
    scene = bar()
    vertices = np.arange(scene.make().assemble().mesh.n)
    slot = Slot.create(Shape(len(FIGURES), len(vertices)))
    inbox: queue.Queue[object] = queue.Queue()
    for message in (Colour(by), Stop()):
        inbox.put(message)
    job = Assignment(dump_scene(scene), str(scene.folder), settings_of(scene.make()), slot.name, slot.shape, vertices)
    worker = Worker(job, inbox, Notes(queue.Queue()))
    try:
        state = worker._session.state
        worker._session._progress.state = replace(state, x=FAR * state.x, v=np.full_like(state.v, FAST))
        worker.run()
        worker._show()
        shown = slot.get()
        assert shown is not None
        assert np.isfinite(shown.values).all()
        assert (shown.values > 0.0).any() == (by is not Colouring.NOTHING)
    finally:
        worker.close()
        slot.close()
