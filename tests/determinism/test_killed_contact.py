"""kill -9 in the middle of contacts, then --resume: the same bits as a run that was never stopped."""

import signal
from pathlib import Path

import pytest

from cli.command import assert_same_animation, assert_same_history, here, start, stop_when_rows
from supple.recording.history import read_history

NEAR = ("body.0.mesh.cells=4", "body.1.mesh.cells=3", "body.1.mesh.origin=[0.53, 0.13, 0.07]")
CASES = {
    "aligned": ("two-bodies", 6, 3, NEAR),
    "itself": ("wheel-self-contact", 24, 6, ("body.0.mesh.around=8", "body.0.material.young=2e4")),
}
"""Scene, steps, rows of the history after which the run is killed, and changes."""


@pytest.mark.parametrize("case", ["aligned", pytest.param("itself", marks=pytest.mark.study)])
def test_kills_amid_contacts_leave_no_trace(case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    scene, steps, rows, changes = CASES[case]
    settings = [word for one in ("record.checkpoint_seconds=1e-3", *changes) for word in ("--set", one)]
    asked = ["run", scene, "--steps", steps, *settings]
    here(*asked, "--out", "whole")
    child = start(*asked, "--out", "killed", folder=tmp_path)
    assert stop_when_rows(child, tmp_path / "killed/history.csv", rows, signal.SIGKILL)
    child.communicate()
    here("run", "--resume", "killed")
    assert (read_history(tmp_path / "killed/history.csv")["other"][1 : rows + 1] > 0.0).any()
    assert_same_history(tmp_path / "whole", tmp_path / "killed")
    assert_same_animation(tmp_path / "whole", tmp_path / "killed")
