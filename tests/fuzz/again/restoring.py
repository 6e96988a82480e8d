"""A run whose state goes through a checkpoint after every step, into new solvers of a new model, in one child."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from fuzz.again.comparing import Facts, state_facts
from fuzz.cases import SCENE

if TYPE_CHECKING:
    from supple.loop import Frame
    from supple.model.model import Model
    from supple.scene.tables.scene import Scene
    from supple.solvers.tools import StepTools


def restored(settings: tuple[str, ...], steps: int) -> Callable[[], Facts]:
    """The rows and the last state of such a run of the scene in the current folder, up to the step that fails."""

    def run() -> Facts:
        from supple.errors import SuppleError
        from supple.scene.text.load import load_scene

        scene = load_scene(SCENE, [*settings, "solver.threads=1"]).lasting(steps)
        found: Facts = {}
        try:
            for name, text in _steps(scene):
                found[name] = text
        except SuppleError as problem:
            found["failure"] = str(problem)
        return found

    return run


def _steps(scene: Scene) -> Iterator[tuple[str, str]]:
    from supple.loop import simulate
    from supple.progress import begin, restore

    setup, taken = scene.make(), -1
    model, tools = _made(scene)
    progress = begin(model.system, setup.method, model.state, tools)
    while True:
        run = simulate(model.system, setup.method, progress, setup.h, setup.steps, tools)
        frame = next((frame for frame in run if frame.step > taken), None)
        meta, arrays = progress.save(tools)
        if frame is None:
            yield from state_facts(meta, arrays)
            return
        yield f"row {frame.step}", _row(model, frame)
        taken = frame.step
        meta, arrays = json.loads(json.dumps(meta)), {name: np.array(array) for name, array in arrays.items()}
        tools.close()
        model, tools = _made(scene)
        progress = restore(meta, arrays, tools)


def _made(scene: Scene) -> tuple[Model, StepTools]:
    from supple.solvers.tools import StepTools

    setup = scene.make()
    model = setup.assemble()
    return model, StepTools(model.system, setup.solver)


def _row(model: Model, frame: Frame) -> str:
    """The row as history.csv has it."""
    from supple.recording.history import COLUMNS, COUNTS, WORK
    from supple.recording.recorder import history_row

    row = history_row(model, frame, model.system.works)
    names = [*COLUMNS, *(WORK + name for name in model.system.works)]
    cells = {name: str(int(row[name])) if name in COUNTS else repr(float(row[name])) for name in names}
    return " ".join(f"{name}={cell}" for name, cell in cells.items() if name != "wall_seconds")
