"""`supple gradient` and `supple fit`: output, files, and one clear message per fault."""

from pathlib import Path

import numpy as np
import pytest

from cli.command import here, last_json, supple
from fits.fit_bars import BAR, DAMPED, YOUNG, motion, write


@pytest.fixture
def bar(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A scene with a target beside it, in the folder of the command."""
    monkeypatch.chdir(tmp_path)
    scene = write(tmp_path)
    t, x = motion(scene, [f"{YOUNG}=2.4e5"])
    rows = np.column_stack([t, x[:, -4:].mean(axis=1)])
    np.savetxt(tmp_path / "tip.csv", rows, delimiter=",", header="t,x,y,z", comments="")
    return scene


def test_gradient_prints_and_checks(bar: Path, capsys: pytest.CaptureFixture[str]) -> None:
    here(
        "gradient",
        bar,
        "--of",
        "right.y@0.2",
        "--by",
        f"{YOUNG},body[0].density",
        "--by",
        "world.gravity",
        "--check",
        "--json",
    )
    out = capsys.readouterr()
    found = last_json(out.out)
    assert set(found["derivatives"]) == {YOUNG, "body[0].density", "world.gravity"}
    assert max(found["errors"].values()) < 1e-6
    assert found["elasticities"][YOUNG] == pytest.approx(found["derivatives"][YOUNG] * 2e5 / found["value"])
    assert "elasticity" in out.err
    assert "difference" in out.err


def test_fit_writes_a_folder(bar: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = (
        "fit",
        bar,
        "--unknown",
        f"{YOUNG}:log:1e4,1e7",
        "--follow",
        "right",
        "--target",
        "tip.csv",
        "--out",
        "fitted",
    )
    here(*arguments, "--json")
    out = capsys.readouterr()
    found = last_json(out.out)
    assert found["values"][YOUNG] == pytest.approx(2.4e5, rel=1e-4)
    assert found["folder"] == "fitted"
    assert "rms misfit" in out.err
    names = {file.name for file in Path("fitted").iterdir()}
    assert names == {"scene.toml", "table.csv", "fit.json", "curves.png", "run"}
    here(*arguments, code=2)
    assert "already contains a fit" in capsys.readouterr().err
    here(*arguments, "--overwrite", "--max-steps", 1, "--keep", 5)
    here("run", "fitted/scene.toml", "--steps", 2, "--out", "again")


def test_a_target_beside_the_scene_and_a_loss_in_words(
    bar: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "elsewhere"
    other.mkdir()
    monkeypatch.chdir(other)
    loss = "follow(right, target) + 0.1*energy_at(elastic, 0.1, at=0.1)"
    here("fit", bar, "--unknown", f"{YOUNG}:log", "--loss", loss, "--target", "tip.csv", "--max-steps", 2, "--json")
    found = last_json(capsys.readouterr().out)
    assert Path(found["folder"]) == Path("runs/bar-fit")
    assert found["rms"] is not None


def test_the_warning_of_a_method_that_damps(bar: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bar.write_text(DAMPED)
    here(
        "fit", bar, "--unknown", "damping[0].shear:log", "--follow", "right", "--target", "tip.csv", "--out", "damped",
        "--max-steps", 2, "--set", "integrator.name=backward-euler",
    )  # fmt: skip
    assert "backward-euler has numerical damping" in capsys.readouterr().out


FIT = ("--follow", "right", "--target", "tip.csv")
WRONG = {
    "no number": ("fit", "--unknown", "body[0].material.name", *FIT),
    "unknown key": ("fit", "--unknown", "body[0].material.yung", *FIT),
    "of the method": ("fit", "--unknown", "time.step", *FIT),
    "outside its bounds": ("fit", "--unknown", f"{YOUNG}:log:1,2", *FIT),
    "no such target": ("fit", "--unknown", YOUNG, "--follow", "right", "--target", "none.csv"),
    "nan": ("fit", "--unknown", YOUNG, "--follow", "right", "--target", "nan.csv"),
    "other vertices": ("fit", "--unknown", YOUNG, "--follow", "all", "--target", "other.npz"),
    "other times": ("fit", "--unknown", YOUNG, *FIT, "--set", "time.duration=0.1"),
    "no group": ("fit", "--unknown", YOUNG, "--follow", "tip", "--target", "tip.csv"),
    "nothing to follow": ("fit", "--unknown", YOUNG, "--follow", "right"),
    "no loss": ("fit", "--unknown", YOUNG),
    "two losses": ("fit", "--unknown", YOUNG, *FIT, "--loss", "hit(right, (0, 0, 0))"),
    "target not named": ("fit", "--unknown", YOUNG, "--target", "tip.csv", "--loss", "hit(right, (0, 0, 0))"),
    "loss that is none": ("fit", "--unknown", YOUNG, "--loss", "hit("),
    "method without derivatives": ("fit", "--unknown", YOUNG, *FIT, "--set", "integrator.name=siere"),
    "no keys": ("gradient", "--of", "total", "--by", ","),
    "no column": ("gradient", "--of", "elstic@0.1", "--by", YOUNG),
    "no time": ("gradient", "--of", "elastic@9", "--by", YOUNG),
}


@pytest.mark.parametrize("arguments", WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_one_sentence(
    bar: Path, arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    Path("nan.csv").write_text("t,x,y,z\n0,1,2,nan\n")
    np.savez("other.npz", t=[0.0], x=np.zeros((1, 5, 3)))
    command, *options = arguments
    here(command, bar, *options, code=2)
    err = capsys.readouterr().err.strip()
    assert err
    assert len(err.splitlines()) == 1
    assert not Path("runs").exists()


@pytest.mark.study
def test_in_a_process_of_its_own(tmp_path: Path) -> None:
    write(tmp_path, BAR)
    done = supple("gradient", "bar.toml", "--of", "right.y@0.1", "--by", YOUNG, folder=tmp_path)
    assert done.stdout.startswith("right.y@0.1 = ")
