"""The table of docs/develop/determinism.md, one row after the other, over all kinds of scenes: equal to the bit."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from child import environment
from determinism.kinds import KINDS, digest, digests, frames, made
from supple.loop import Frame, simulate
from supple.model.model import Model
from supple.progress import begin, restore
from supple.recording.checkpoint import read_checkpoint
from supple.recording.history import read_history
from supple.runs.run import start_run
from supple.runs.running import carried_out
from supple.solvers.tools import StepTools

HERE = """
import json
from determinism.kinds import KINDS, digests
print(json.dumps({name: digests(kind.load()) for name, kind in KINDS.items()}))
"""


@dataclass(frozen=True)
class Undisturbed:
    """A run that is compared with others."""

    model: Model
    digests: list[str]
    """Of all its frames."""
    last: Frame
    touched: bool


@cache
def undisturbed(name: str) -> Undisturbed:
    scene, found, touched = KINDS[name].load(), [], False
    model, tools = made(scene)
    for frame in frames(scene, model, tools):
        found.append(digest(frame))
        touched = touched or frame.ledger.energies.other > 0.0
    tools.close()
    return Undisturbed(model, found, frame, touched)


def whole(name: str) -> list[str]:
    return undisturbed(name).digests


@pytest.mark.parametrize("name", [name for name, kind in KINDS.items() if kind.touches])
def test_bodies_touch(name: str) -> None:
    """Else the others would compare bodies in flight."""
    assert undisturbed(name).touched


@pytest.mark.parametrize("name", KINDS)
def test_again_in_the_same_process(name: str) -> None:
    """With the model of the first run; those of the other tests have separate models."""
    scene, model = KINDS[name].load(), undisturbed(name).model
    tools = StepTools(model.system, scene.make().solver)
    assert [digest(frame) for frame in frames(scene, model, tools)] == whole(name)
    tools.close()


@pytest.mark.parametrize("name", KINDS)
def test_restored_after_every_step(name: str) -> None:
    """Into new solvers of a new model: whatever a checkpoint does not have is lost each time."""
    scene = KINDS[name].load()
    setup, found = scene.make(), []
    model, tools = made(scene)
    progress = begin(model.system, setup.method, model.state, tools)
    while True:
        run = simulate(model.system, setup.method, progress, setup.h, setup.steps, tools)
        frame = next((one for one in run if one.step or not found), None)
        if frame is None:
            break
        found.append(digest(frame))
        meta, arrays = progress.save(tools)
        meta, arrays = json.loads(json.dumps(meta)), {key: np.array(value) for key, value in arrays.items()}
        tools.close()
        model, tools = made(scene)
        progress = restore(meta, arrays, tools)
    assert found == whole(name)


@pytest.mark.parametrize("name", KINDS)
def test_two_threads(name: str) -> None:
    """Bodies of this size are factorised by one thread; sums are made in blocks that do not depend on the threads."""
    assert digests(KINDS[name].load("solver.threads=2")) == whole(name)


@pytest.mark.parametrize("name", KINDS)
def test_recorded_with_a_checkpoint_at_every_step(name: str, tmp_path: Path) -> None:
    scene = KINDS[name].load("record.checkpoint_seconds=1e-9")
    carried_out(start_run(scene, tmp_path / "run"), progress=False)
    saved = read_checkpoint(tmp_path / "run")
    last = undisturbed(name).last
    np.testing.assert_array_equal(saved.arrays["x"], last.state.x)
    np.testing.assert_array_equal(saved.arrays["v"], last.state.v)
    assert read_history(tmp_path / "run/history.csv")["residual"][-1] == last.ledger.residual
    assert digest(last) == whole(name)[-1], "unchanged since then"


def test_in_other_processes() -> None:
    """With another seed of Python's hashes, so that nothing hangs on the order of a set."""
    seed = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    done = subprocess.run(
        [sys.executable, "-c", HERE],
        capture_output=True, text=True, check=False, env={**environment(), "PYTHONHASHSEED": seed},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    for name, found in json.loads(done.stdout.splitlines()[-1]).items():
        assert found == whole(name), name
