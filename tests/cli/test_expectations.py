"""`[expect]` towards the user: lines, exit codes, JSON, reports, comparisons, measures."""

import csv
from pathlib import Path

import pytest
from command import BAR, here, last_json, write_scene

import supple as sp

EXPECT = """
[expect.energy-is-kept]
column = "total"
at = "drift"
below = 1e-9
[expect.it-sags]
column = "gravity"
at = "min"
over_start = true
below = 0.9999
"""
SMALL = BAR.replace("[4, 1, 1]", "[2, 1, 1]")
KEPT = "held: energy-is-kept: drift of total is "


def scene(folder: Path, expect: str = EXPECT) -> None:
    write_scene(folder, SMALL + expect)


def test_a_run_ends_with_a_line_for_each(in_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scene(in_folder)
    here("run", "bar.toml", "--steps", 6, "--out", "run", "--check")
    *_, first, second = capsys.readouterr().out.splitlines()
    assert first.startswith(KEPT)
    assert first.endswith("; expected at most 1e-09")
    assert second.startswith("held: it-sags: gravity at its minimum over the start is 0.7")


def test_check_sets_the_exit_code(in_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scene(in_folder)
    words = ["run", "bar.toml", "--steps", 6, "--set", "integrator.name=backward-euler", "--overwrite", "--out", "run"]
    here(*words)
    here(*words, "--check", "--json", code=1)
    captured = capsys.readouterr()
    assert f"NOT {KEPT}" in captured.err
    kept, sags = last_json(captured.out)["expectations"]
    assert (kept["name"], kept["held"], sags["held"]) == ("energy-is-kept", False, True)
    assert kept["figure"] > 1e-9
    assert (kept["subject"], kept["expected"]) == ("drift of total", "at most 1e-09")
    here("run", "--resume", "run", "--check", code=1)
    assert f"NOT {KEPT}" in capsys.readouterr().out


def test_check_needs_something_to_check(in_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_scene(in_folder, SMALL)
    here("run", "bar.toml", "--check", "--out", "run", code=2)
    assert "--check: found no [expect.NAME] table in bar.toml" in capsys.readouterr().err
    assert not (in_folder / "run").exists()
    here("run", "bar.toml", "--steps", 1, "--out", "run", "--json")
    assert last_json(capsys.readouterr().out)["expectations"] == []
    here("run", "--resume", "run", "--check", code=2)


@pytest.mark.parametrize(
    ("expect", "said"),
    [
        ('[expect.a]\ncolumn = "totl"\nbelow = 1', "did you mean 'total'"),
        ('[expect.a]\ncolumn = "total"\nbelwo = 1', "did you mean 'below'"),
        ('[expect.a]\nswing = { group = "rihgt" }\nbelow = 1', "expect.a.swing.group: unknown group 'bar.rihgt'"),
    ],
)
def test_mistakes_are_found_before_the_run(
    in_folder: Path, capsys: pytest.CaptureFixture[str], expect: str, said: str
) -> None:
    scene(in_folder, expect)
    here("run", "bar.toml", "--out", "run", code=2)
    assert said in capsys.readouterr().err
    assert not (in_folder / "run").exists()


def test_reports_show_them(in_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("supple.render.report.plots.picture", lambda panel: "data:image/svg+xml;base64,")  # slow
    scene(in_folder)
    here("run", "bar.toml", "--steps", 3, "--out", "good", "--report")
    here("run", "bar.toml", "--steps", 3, "--out", "bad", "--report", "--set", "integrator.name=backward-euler")
    assert "2 of 2 hold." in (in_folder / "good/report.html").read_text()
    bad = (in_folder / "bad/report.html").read_text()
    assert "1 of 2 hold." in bad
    assert "NOT held: drift of total is " in bad
    here("report", "good", "bad", "--out", "both.html")
    assert "3 of 4 hold." in (in_folder / "both.html").read_text()


@pytest.mark.usefixtures("blank")
def test_comparisons_count_them_and_draw_quantities(
    in_folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("supple.render.report.plots.picture", lambda panel: "data:image/svg+xml;base64,")  # slow
    scene(in_folder)
    words = ["compare", "bar.toml", "--integrators", "avf,backward-euler", "--steps", 4, "--out", "both"]
    here(*words, "--quantity", "potental", code=2)
    assert "--quantity potental: unknown column; did you mean 'potential'?" in capsys.readouterr().err
    assert not (in_folder / "both").exists()
    here(*words, "--quantity", "potential", "--quantity", "newton_iterations", "--json")
    found = last_json(capsys.readouterr().out)
    assert [row["expectations_held"] for row in found["runs"]] == ["2 of 2", "1 of 2"]
    assert [check["held"] for check in found["runs"][1]["expectations"]] == [False, True]
    assert set(found["plots"]) == {"potential", "newton_iterations"}
    for file in found["plots"].values():
        assert (in_folder / file).read_bytes().startswith(b"\x89PNG")
    with (in_folder / "both/comparison.csv").open(newline="") as lines:
        assert [row["expectations_held"] for row in csv.DictReader(lines)] == ["2 of 2", "1 of 2"]
    here("report", "both")
    page = (in_folder / "both/report.html").read_text()
    assert "Iterations over time" in page
    assert "Potential energy" in page


def test_the_share_is_a_measure(in_folder: Path) -> None:
    scene(in_folder)
    for name in ("avf", "backward-euler"):
        here("run", "bar.toml", "--steps", 3, "--out", name, "--set", f"integrator.name={name}")
    from supple.sweeps.measures import make_measures

    share, lowest = make_measures(["expectations_held", "potential@min"])
    runs = [sp.open_run(name) for name in ("avf", "backward-euler")]
    assert [share.value(run) for run in runs] == [1.0, 0.5]
    history = runs[0].history
    assert lowest.value(runs[0]) == (history["elastic"] + history["gravity"] + history["other"]).min()
    with pytest.raises(sp.SuppleError, match="unknown column 'expectations_held'"):
        make_measures(["expectations_held@end"])
