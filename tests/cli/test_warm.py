"""`supple warm` compiles all kernels, and `supple info` reports whether that was done."""

from dataclasses import replace
from pathlib import Path

import pytest

from supple import kernel_cache
from supple.cli import main
from supple.cli.info import gather
from supple.integrators import INTEGRATORS
from supple.materials import MATERIALS, MEMBRANES
from supple.recording.history import read_rows
from supple.runs.trials import listing
from supple.runs.trials.listing import all_trials, contact_trials
from supple.runs.trials.trial import Trial, try_out
from supple.scene.text.shipped import shipped_scenes


def test_there_is_a_trial_for_everything() -> None:
    names = {trial.name for trial in all_trials()}
    assert {f"scene {name}" for name in shipped_scenes()} <= names
    assert {f"material {name}" for name in [*MATERIALS.names(), *MEMBRANES.names()]} <= names
    assert {f"{name} on a solid" for name in INTEGRATORS.names()} <= names


def named(name: str) -> Trial:
    (trial,) = (trial for trial in all_trials() if trial.name == name)
    return trial


@pytest.mark.parametrize(
    "name", ["material stvk", "material orthotropic-membrane", "material stvk-plane-strain", "pictures", "coarsening"]
)
def test_a_trial_runs(name: str) -> None:
    assert try_out(named(name)) == ""


@pytest.mark.parametrize("name", [trial.name for trial in contact_trials()])
def test_trials_of_contact_touch(name: str) -> None:
    """Kernels of barriers, friction and projections are called only then."""
    pressed = []

    def look(run: Path) -> None:
        rows = read_rows(run / "history.csv")
        pressed.append(rows["other"].max() > 0.0 or rows["py"][-1] > rows["py"].min())  # or no longer in free fall

    assert try_out(replace(named(name), also=look)) == ""
    assert pressed == [True]


def test_what_goes_wrong_is_returned() -> None:
    assert try_out(Trial("own", tables={"time": {"step": 1.0}})).startswith("own: body: missing")
    assert try_out(Trial("own", tables={"time": {"step": 1.0}}, may_refuse=True)) == ""


def test_warm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    assert not kernel_cache.kept().warm
    assert "`supple warm` compiles the others" in gather()["kernels"]
    monkeypatch.setattr(listing, "all_trials", lambda: [Trial("own", tables={"time": {"step": 1.0}})])
    with pytest.raises(SystemExit) as left:
        main(["warm", "--workers", "1"])
    assert left.value.code == 2
    assert "own: body: missing" in capsys.readouterr().out
    assert not kernel_cache.kept().warm
    monkeypatch.setattr(listing, "all_trials", list)
    with pytest.raises(SystemExit) as left:
        main(["warm"])
    assert left.value.code == 0
    assert kernel_cache.kept() == kernel_cache.Kept(tmp_path, 0, True)
    assert gather()["kernels"].startswith("all compiled")
    monkeypatch.setattr(listing, "all_trials", lambda: [Trial("own", tables={"time": {"step": 1.0}})])
    with pytest.raises(SystemExit) as left:
        main(["warm", "--missing"])
    assert left.value.code == 0
    assert "all kernels are compiled" in capsys.readouterr().out
    monkeypatch.setattr(kernel_cache, "__file__", str(tmp_path / "copy" / "__init__.py"))  # Numba would compile again
    assert not kernel_cache.kept().warm
