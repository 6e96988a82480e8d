"""`supple presets`, and words given to other commands."""

import json
from pathlib import Path

import pytest
from command import here

from supple.loop import simulate
from supple.model.presets.published import published
from supple.runs.notes.undamped import undamped_note
from supple.runs.notes.units import unit_notes
from supple.scene.text.load import load_scene


def test_a_line_for_each_word(capsys: pytest.CaptureFixture[str]) -> None:
    here("presets")
    head, *lines = capsys.readouterr().out.splitlines()
    assert head.split()[:3] == ["word", "law", "young"]
    assert [line.split()[0] for line in lines] == list(published())
    assert all(row.source in line for row, line in zip(published().values(), lines, strict=True))


def test_one_word_in_full(capsys: pytest.CaptureFixture[str]) -> None:
    here("presets", "silk")
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "silk"
    assert "  rigidity    4e-6 N m" in lines
    assert any(line.startswith("  source      ") for line in lines)


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    here("presets", "--json", "jelly", "paper")
    jelly, paper = json.loads(capsys.readouterr().out)
    assert (jelly["word"], jelly["young"], jelly["thickness"]) == ("jelly", 4000.0, None)
    assert (paper["young"], paper["young_weft"], paper["thickness"]) == (5e9, 2.5e9, 1e-4)


def test_an_unknown_word(capsys: pytest.CaptureFixture[str]) -> None:
    here("presets", "jely", code=2)
    assert "unknown preset 'jely'; did you mean 'jelly'" in capsys.readouterr().err


@pytest.mark.parametrize(("kind", "word"), [("soft", "jelly"), ("cloth", "silk"), ("flag", "nylon")])
def test_a_new_scene_made_of_a_word(in_folder: Path, kind: str, word: str) -> None:
    here("new", "shot.toml", "--kind", kind, "--material", word, "--no-check")
    assert f'material = "{word}"' in (in_folder / "shot.toml").read_text()
    shot = load_scene(in_folder / "shot.toml").make()
    built = shot.assemble()
    assert unit_notes(built) == []
    assert undamped_note(built, shot.method, shot.h) == ""
    assert len(list(simulate(built.system, shot.method, built.state, shot.h, 2))) == 3


def test_the_word_chooses_the_kind(in_folder: Path) -> None:
    here("new", "shot.toml", "--material", "denim", "--no-check")
    assert 'shape = "cloth"' in (in_folder / "shot.toml").read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--material", "slik"], "--material slik: unknown preset 'slik'; did you mean 'silk'"),
        (["--material", "silk", "--kind", "soft"], "--kind soft: 'silk' is a sheet; use --kind cloth or flag"),
        (["--material", "jelly", "--kind", "rope"], "--kind rope: 'jelly' is a solid; use --kind soft"),
    ],
)
def test_new_scenes_that_are_refused(
    in_folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    here("new", "shot.toml", *arguments, code=2)
    assert message in capsys.readouterr().err
