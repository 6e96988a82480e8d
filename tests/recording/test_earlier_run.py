"""A run folder that an earlier version wrote, before scenes became worlds, is shown, exported and reported."""

import shutil
from pathlib import Path

import numpy as np
import pytest

import supple as sp
from supple.cli import main

KEPT = Path(__file__).parent / "earlier_run"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(KEPT, tmp_path / "run"))


def supple(*words: str) -> int:
    with pytest.raises(SystemExit) as left:
        main(words)
    return int(left.value.code or 0)


def test_it_can_be_exported_reported_and_drawn(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # the plots for browsers without scripts take most of the time of a page
    monkeypatch.setattr("supple.render.report.plots.picture", lambda panel: "data:image/svg+xml;base64,")
    assert supple("export", str(folder), "--to", "npz", "--out", str(tmp_path / "run.npz")) == 0
    with np.load(tmp_path / "run.npz") as arrays:
        assert arrays["bar.positions"].shape == (11, 16, 3)
        assert set(arrays["obstacles"]) == {"post", "obstacle0"}
    assert supple("report", str(folder), "--out", str(tmp_path / "page.html")) == 0
    assert (
        supple("render", str(folder), "--to", str(tmp_path / "end.png"), "--renderer", "plain", "--size", "160x120")
        == 0
    )


def test_python_opens_it(folder: Path) -> None:
    run = sp.open_run(folder)
    assert run.positions.shape[0] == 11
    assert run.setup.world.bodies[0].name == "bar"
    assert [body.name for body in run.setup.assemble().bodies] == ["bar", "cloth"]
    assert abs(run.history["residual"][-1]) < 1e-12


def test_the_same_steps_are_taken_again(folder: Path) -> None:
    run = sp.open_run(folder)
    setup = run.setup
    again = [f.state.x for f in sp.simulate(setup.assemble(), setup.method, h=setup.h, steps=setup.steps)]
    np.testing.assert_allclose(run.positions, np.array(again), atol=1e-6)


def test_it_is_not_continued_by_this_version(folder: Path) -> None:
    with pytest.raises(sp.SuppleError, match="another version of supple made it"):
        sp.resume(folder, steps=12, progress=False)
