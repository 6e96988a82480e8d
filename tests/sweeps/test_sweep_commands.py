"""`supple sweep` with files and tables, `supple analyse sensitivity`, `supple schema --sweep`."""

import json
from pathlib import Path

import pytest
from clusters import Cluster

import supple as sp
from cli.command import BAR, here, last_json, write_scene
from supple.cli.results.sweep import folded, short

SWEEP = """
scene = "bar.toml"
set = ["time.duration=0.25"]
measure = { sag = "right.y@min - right.y@start", moved = "right.y@time-of-max", whole = "total@drift" }

[vary]
"body.0.material.young" = "1e5:1e7:3:log"
"integrator.name" = ["avf", "backward-euler"]
"""


@pytest.fixture(scope="module")
def swept(tmp_path_factory: pytest.TempPathFactory, shared: Cluster) -> Path:
    """Six runs of a sweep file."""
    folder = tmp_path_factory.mktemp("swept")
    write_scene(folder, BAR.replace("[4, 1, 1]", "[2, 1, 1]"))
    write_scene(folder, SWEEP, "wedge.toml")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        here("sweep", "wedge.toml", "--scheduler", shared.address, "--out", "out", "--json")
    return folder


def test_a_sweep_file(swept: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    found = sp.Sweep(swept / "out")
    assert found.columns["state"] == ["finished"] * 6
    assert max(found.columns["sag"]) < 0.0
    assert found.columns["sag"][0] < found.columns["sag"][-1], "the softer bar sags more"
    monkeypatch.chdir(swept)
    monkeypatch.setenv("COLUMNS", "60")
    here("sweep", "--resume", "out")
    shown = capsys.readouterr().out
    assert "…" not in shown
    assert "backward-euler finished" in shown
    here("sweep", "wedge.toml", "--dry-run", "--sample", 3, "--sampling", "sobol", "--steps", 2, "--json")
    assert len(last_json(capsys.readouterr().out)["runs"]) == 3


def test_what_matters_most(swept: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    here("analyse", "sensitivity", swept / "out", "--plot", tmp_path / "bars.png", "--json")
    found = last_json(capsys.readouterr().out)
    assert found["kind"] == "grid"
    assert (tmp_path / "bars.png").read_bytes().startswith(b"\x89PNG")
    by = {(one["measure"], one["key"]): one for one in found["influences"]}
    assert by["whole", "integrator.name"]["total"] > 0.5 > by["sag", "integrator.name"]["total"]
    assert by["sag", "body.0.material.young"]["total"] > 0.9
    here("analyse", "sensitivity", swept / "out")
    shown = capsys.readouterr().out
    assert shown.startswith("Shares of variance over the complete grid of 6 runs")
    assert "moved is left out: it is 0 in all runs" in shown
    here("analyse", "sensitivity", swept, code=2)
    assert "not the folder of a sweep" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("set =", "sett ="), "wedge.toml: sett: unknown key; did you mean 'set'?"),
        (("[vary]", 'sampling = "sobol"\n[vary]'), "--sampling: applies to samples"),
        (('["avf", "backward-euler"]', '["avf", "bdf3"]'), "unknown name 'bdf3'"),
        (('["avf", "backward-euler"]', "[]"), "found no values"),
        (("right.y@min", "tip.y@min"), "unknown vertex group 'tip'"),
        (('"1e5:1e7:3:log"', '"1e5:1e7"'), "range without a count, which only samples support"),
    ],
)
def test_wrong_files_are_refused_before_anything_starts(
    change: tuple[str, str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    write_scene(tmp_path)
    write_scene(tmp_path, SWEEP.replace(*change), "wedge.toml")
    here("sweep", "wedge.toml", "--out", "out", code=2)
    assert said in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_no_option_is_ignored(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words, said in (
        (("jelly", "--vary", "time.step=0.1,0.2", "--seed", 3), "--seed: applies to samples"),
        (("jelly", "--vary", "time.step=0.1,0.2", "--sample", 2, "--together"), "--together: has no effect on samples"),
        (("--resume", tmp_path, "--measure", "total@end"), "omit them with --resume"),
        (("--resume", tmp_path, "--steps", 3), "omit them with --resume"),
    ):
        here("sweep", *words, code=2)
        assert said in capsys.readouterr().err


def test_the_schema_of_sweep_files(capsys: pytest.CaptureFixture[str]) -> None:
    here("schema", "--sweep")
    schema = json.loads(capsys.readouterr().out)
    assert set(schema["required"]) == {"scene", "vary"}
    assert schema["additionalProperties"] is False
    assert schema["properties"]["sample"]["description"]


def test_headings_and_figures_of_narrow_tables() -> None:
    assert folded("total@drift") == "total@\ndrift"
    assert folded("young") == "young"
    assert folded("crushed_elements@end") == "crushed_\nelements@\nend"
    assert [short(v) for v in (2.067e4, 1e-16, 123456.0, 0.5, 7, None, "avf")] == [
        "20670", "1e-16", "1.23e5", "0.5", "7", "-", "avf",
    ]  # fmt: skip
