"""`supple analyse reversibility`: table, files, JSON, results and refusals."""

import csv
from pathlib import Path

import pytest
from command import BAR, here, last_json, write_scene

METHODS = "avf,adaptive-reversible:rule=poses,backward-euler"


def test_there_and_back(in_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--steps", 12, "--integrators", METHODS, "--csv", "r.csv", "--plot", "r.svg", "--json"]
    here("analyse", "reversibility", write_scene(in_folder), *words)
    captured = capsys.readouterr()
    assert len(captured.out.splitlines()) == 1
    found = last_json(captured.out)
    assert (found["csv"], found["plot"]) == ("r.csv", "r.svg")
    avf, adaptive, euler = found["runs"]
    assert [run["integrator"] for run in found["runs"]] == METHODS.split(",")
    for run in (avf, adaptive):
        assert run["distance"] < 1e-10
        assert run["velocity"] < 1e-8
        assert run["time_back"] == pytest.approx(run["time_there"], rel=1e-12)
    assert avf["time_there"] == pytest.approx(0.2, rel=1e-12)
    assert adaptive["time_there"] < 0.19
    assert euler["distance"] > 1e-3
    assert euler["energy"] < 0.0
    with (in_folder / "r.csv").open(newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert list(rows[0]) == ["integrator", "step", "time", "from_start", "strayed"]
    assert [int(row["step"]) for row in rows] == list(range(25)) * 3
    assert [row["strayed"] == "nan" for row in rows[:25]] == [k <= 12 for k in range(25)]
    assert [float(rows[25 * k + 24]["from_start"]) for k in range(3)] == [run["distance"] for run in found["runs"]]
    assert "<svg" in (in_folder / "r.svg").read_text()
    assert "12 steps there, 12 steps back" in captured.err


def test_a_method_that_fails_is_a_result(in_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    here("analyse", "reversibility", write_scene(in_folder), "--steps", 3, "--integrators", "quasi-static,midpoint")
    out = capsys.readouterr().out
    assert "quasi-static: failed: quasi-static has no time scale" in out
    assert "e-1" in next(line for line in out.splitlines() if line.startswith("midpoint"))
    assert "table  reversibility.csv\nplot   reversibility.png\n" in out
    assert (in_folder / "reversibility.png").stat().st_size > 10_000


def test_methods_that_all_fail_leave_empty_axes(in_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    here("analyse", "reversibility", write_scene(in_folder), "--steps", 3, "--integrators", "quasi-static")
    assert "quasi-static: failed" in capsys.readouterr().out
    assert (in_folder / "reversibility.png").stat().st_size > 5_000


@pytest.mark.parametrize(
    ("more", "words", "expected"),
    [
        (
            '[[damping]]\nname = "drag"\nrate = 1.0',
            [],
            "the motion is not reversible: the scene has damping, friction or wind;",
        ),
        (
            '[[body.motion]]\ngroup = "right"\ntranslate = { velocity = [0.1, 0.0, 0.0] }',
            [],
            "the motion is not reversible: the scene has vertices that follow a moving script;",
        ),
        ("", ["--tolerance", "1"], "--tolerance: found 1; give a number above 0 and up to 0.01"),
        ("", ["--integrators", "avg"], "--integrators: unknown integrator 'avg'; did you mean 'avf'?"),
        ("", ["--plot", "no/r.png"], "no/r.png: the folder no does not exist; create it first"),
    ],
)
def test_refusals(
    in_folder: Path, capsys: pytest.CaptureFixture[str], more: str, words: list[str], expected: str
) -> None:
    here("analyse", "reversibility", write_scene(in_folder, BAR + more), *words, code=2)
    assert capsys.readouterr().err.startswith(expected)
    assert [file.name for file in in_folder.iterdir()] == ["bar.toml"]
