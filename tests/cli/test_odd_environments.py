"""Odd environments: settings of Numba, few open files, folders that go away; each is named in a sentence."""

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from command import command, here, write_scene

from supple import loop


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("NUMBA_DISABLE_JIT", "1", "NUMBA_DISABLE_JIT: supple cannot compute without compiled kernels"),
        ("NUMBA_NUM_THREADS", "0", "NUMBA_NUM_THREADS: found 0; give 1 or more"),
        ("NUMBA_THREADING_LAYER", "foo", "NUMBA_THREADING_LAYER: The threading layer requested 'foo' is unknown"),
    ],
)
def test_settings_of_numba_that_cannot_work_are_named(name: str, value: str, said: str, in_folder: Path) -> None:
    write_scene(in_folder)
    words = command("run", "bar.toml", "--steps", 1, "--out", "run")
    done = subprocess.run(words, env={**os.environ, name: value}, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith(said)
    assert "Traceback" not in done.stderr
    assert not Path("run").exists()


@pytest.mark.parametrize("goes", ["moved", "removed"])
def test_a_folder_that_goes_away_during_a_run(
    goes: str, in_folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The message named results in a folder that was not there."""
    write_scene(in_folder)
    real = loop.attempt

    def attempt(system: Any, integrator: Any, progress: Any, *rest: Any) -> Any:
        if progress.step == 3:
            shutil.move("run", "elsewhere") if goes == "moved" else shutil.rmtree("run")
        return real(system, integrator, progress, *rest)

    with monkeypatch.context() as patch:
        patch.setattr(loop, "attempt", attempt)
        here("run", "bar.toml", "--steps", 6, "--out", "run", code=2)
    said = capsys.readouterr()
    assert "this folder was moved or removed during the run" in said.err
    assert "the results so far are in" not in said.out
    assert not Path("run").exists()
    if goes == "moved":
        here("run", "--resume", "elsewhere")
