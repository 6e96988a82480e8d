"""The loop as Python users call it: frames of a model, with an optional progress bar."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from supple.checks import checked_call
from supple.dynamics.state import State
from supple.errors import SuppleError
from supple.integrators.method import Method
from supple.loop import Frame
from supple.loop import simulate as loop
from supple.model.direction.method import directed_method
from supple.model.model import Model
from supple.progress import start_time
from supple.runs.bars import with_bar
from supple.solvers.options import SolverOptions
from supple.solvers.tools import StepTools
from supple.values import Count, Positive


@checked_call
def simulate(
    model: Model,
    method: Method,
    *,
    h: Positive,
    steps: Count,
    start: State | None = None,
    solver: SolverOptions | None = None,
    progress: bool = False,
) -> Iterator[Frame]:
    """Frames of a model, the initial state first: `steps` steps of h [s] by a method.

        for frame in supple.simulate(model, supple.AVF(), h=1 / 60, steps=60):
            print(frame.state.t, frame.ledger.energies.total)

    The arrays of a frame are copies: changing them does not change the run.

    start: initial state, by default that of the model. solver: solver options; by default those with which the model was
    assembled. progress: a bar in the terminal or in the notebook.
    """
    method = directed_method(method, model.world.direction)
    start = start or model.state
    _demand_progress(start_time(start.t), h)
    tools = StepTools(model.system, solver)
    frames = loop(model.system, method, start, h, steps, tools)
    return _closing(with_bar(frames, method.name, steps) if progress else frames, tools)


def _demand_progress(t: float, h: float) -> None:
    """Refuse a step so short, or a start so late, that the time would stand still."""
    if t + h / 64 == t:  # a step may be halved six times
        least = 64 * math.ulp(t)
        raise SuppleError(
            f"simulate.h: steps of {h:g} s do not advance a time of {t:g} s, which a double resolves to "
            f"{math.ulp(t):.2g} s; give a step above {least:.2g} s, or an earlier start.t"
        )


def _closing(frames: Iterator[Frame], tools: StepTools) -> Iterator[Frame]:
    try:
        for frame in frames:
            state = frame.state
            yield replace(frame, state=State(state.t, state.x.copy(), state.v.copy()))
    finally:
        tools.close()
