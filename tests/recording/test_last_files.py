"""The end of a run: its status is stored after its last file, and limits of any length are taken."""

import shutil
from pathlib import Path

import pytest

import supple as sp
from fuzz.files.folder_samples import SOLID
from supple.recording.folder import RunStatus
from supple.render.plots import svg


@pytest.fixture
def scene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bar.toml").write_text(SOLID)
    return Path("bar.toml")


def test_a_run_that_is_killed_before_its_plot_completes_it(scene: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(svg, "plot_energy", lambda *_: shutil.copytree("run", "killed"))
        sp.run(scene, out="run", progress=False)
    assert not Path("killed/energy.svg").exists()
    run = sp.resume("killed", progress=False)
    assert run.status is RunStatus.FINISHED
    assert Path("killed/energy.svg").is_file()
    assert run.positions.tobytes() == sp.open_run("run").positions.tobytes()


@pytest.mark.parametrize("limit", ["99999999999999999999d", 1e59])
def test_limits_beyond_the_timers_of_the_system(scene: Path, limit: str | float) -> None:
    assert sp.run(scene, steps=1, out="run", progress=False, time_limit=limit).status is RunStatus.FINISHED
