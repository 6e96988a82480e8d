"""The loop as Python users call it: frames of a model, with an optional progress bar."""

from __future__ import annotations

from collections.abc import Iterator

from supple.dynamics.state import State
from supple.integrators.method import Method
from supple.loop import Frame
from supple.loop import simulate as loop
from supple.model.direction.method import directed_method
from supple.model.model import Model
from supple.runs.bars import with_bar
from supple.solvers.options import SolverOptions
from supple.solvers.tools import StepTools


def simulate(
    model: Model,
    method: Method,
    *,
    h: float,
    steps: int,
    start: State | None = None,
    solver: SolverOptions | None = None,
    progress: bool = False,
) -> Iterator[Frame]:
    """Frames of a model, the initial state first: `steps` steps of h [s] by a method.

        for frame in supple.simulate(model, supple.AVF(), h=1 / 60, steps=60):
            print(frame.state.t, frame.ledger.energies.total)

    start: initial state, by default that of the model. solver: solver options; by default those with which the model was
    assembled. progress: a bar in the terminal or in the notebook.
    """
    method = directed_method(method, model.world.direction)
    tools = StepTools(model.system, solver)
    frames = loop(model.system, method, start or model.state, h, steps, tools)
    return _closing(with_bar(frames, method.name, steps) if progress else frames, tools)


def _closing(frames: Iterator[Frame], tools: StepTools) -> Iterator[Frame]:
    try:
        yield from frames
    finally:
        tools.close()
