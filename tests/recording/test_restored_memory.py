"""Memory of methods and solvers in a checkpoint is of the right kind before native code follows it."""

import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from fuzz.files.folder_samples import SOLID
from supple.errors import RecordError
from supple.recording.checkpoint import Arrays, read_checkpoint, write_checkpoint
from supple.recording.folder import RunStatus
from supple.runs.run import resume_run, start_run
from supple.scene.text.load import load_scene

KEPT = '\n[integrator]\nname = "newmark"\n[solver]\nreuse = "always"\nthreads = 1\n'
FACTORED, ACCELERATION = "solver.factored", "memory.a"


@pytest.fixture(scope="module")
def half(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An interrupted run whose method has accelerations, and whose solver has factors."""
    folder = tmp_path_factory.mktemp("half")
    (folder / "scene.toml").write_text(SOLID + KEPT)
    job = start_run(load_scene(folder / "scene.toml"), folder / "run")
    for frame in job.frames():
        if frame.step == 3:
            break
    job.save()
    job.finish(RunStatus.INTERRUPTED)
    return folder / "run"


def without(name: str) -> Callable[[Arrays], Arrays]:
    return lambda arrays: {key: array for key, array in arrays.items() if key != name}


def other(name: str, change: Callable[[np.ndarray], np.ndarray]) -> Callable[[Arrays], Arrays]:
    return lambda arrays: {**arrays, name: change(arrays[name])}


CHANGES: dict[str, tuple[Callable[[Arrays], Arrays], str]] = {
    "missing": (without(ACCELERATION), r"memory\.a is missing"),
    "short": (other(ACCELERATION, lambda a: a[:5]), r"memory\.a has float64 entries of the shape \(5, 3\)"),
    "texts": (other(ACCELERATION, lambda a: a.astype(str)), r"memory\.a has <U.* entries"),
    "not finite": (other(ACCELERATION, lambda a: a * np.nan), r"memory\.a has entries that are not finite"),
    "fewer entries": (other(FACTORED, lambda a: a[:7]), r"factored has float64 entries of the shape \(7,\)"),
    "fewer places": (other("solver.places", lambda a: a[:2]), r"places has float64 entries of the shape \(2, 3\)"),
    "blocks outside": (other("solver.grown", lambda a: np.array([144])), "grown has blocks outside a matrix of"),
    "blocks below": (other("solver.grown", lambda a: np.array([-1])), "grown has blocks outside a matrix of"),
}


@pytest.mark.parametrize("case", CHANGES)
def test_odd_memory_is_refused(case: str, half: Path, tmp_path: Path) -> None:
    change, words = CHANGES[case]
    run = Path(shutil.copytree(half, tmp_path / "run"))
    saved = read_checkpoint(run)
    assert saved.arrays[FACTORED].size
    write_checkpoint(run, saved.meta, change(saved.arrays))
    with pytest.raises(RecordError, match=rf"run: its checkpoint does not fit the scene \(ValueError: {words}"):
        resume_run(run)
