"""`supple run` with the words of a director: they are settings of the scene, and the run keeps them."""

import tomllib
from pathlib import Path

from typer.testing import CliRunner

from supple.cli.app import app
from supple.cli.options.direct import as_settings

SCENE = """
[time]
step = 0.01
duration = 0.02
[[body]]
name = "bar"
mesh = { shape = "bar", cells = [2, 1, 1], size = [0.2, 0.1, 0.1] }
material = "foam"
pin = "left"
"""


def test_options_are_settings() -> None:
    words = {"stiffer": 2.0, "settle": None, "stops_sooner": 0.5}
    assert as_settings(words, "0.25") == ["direction.stiffer=2.0", "direction.stops_sooner=0.5", "time.speed=0.25"]


def test_a_run_keeps_and_reports_words(tmp_path: Path) -> None:
    file, out = tmp_path / "scene.toml", tmp_path / "out"
    file.write_text(SCENE)
    options = ["--stiffer", "3", "--heavier", "2", "--settle", "1.5", "--speed", "0.5"]
    result = CliRunner().invoke(app, ["run", str(file), *options, "--out", str(out)])
    assert result.exit_code == 0, result.output
    said = " ".join(result.output.split())
    assert "bar: stiffness x 3, Young's modulus 1.8e+05 Pa; mass x 2, 0.12 kg" in said
    assert "bar: settle 1.5 s, slowest motion" in said
    kept = tomllib.loads((out / "scene.toml").read_text())
    assert {key: kept["direction"][key] for key in ("stiffer", "heavier", "settle")} == {
        "stiffer": 3.0,
        "heavier": 2.0,
        "settle": 1.5,
    }
    assert kept["time"]["speed"] == 0.5


def test_bad_words_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "scene.toml"
    file.write_text(SCENE)
    for options in (["--stiffer", "-1"], ["--bouncier", "0.5"], ["--speed", "0"], ["--settle", "1", "--livelier", "2"]):
        result = CliRunner().invoke(app, ["run", str(file), *options, "--out", str(tmp_path / "out")])
        assert result.exit_code == 2 or isinstance(result.exception, Exception)
        assert not (tmp_path / "out").exists()
