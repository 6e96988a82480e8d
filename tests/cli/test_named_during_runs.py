"""A value that becomes impossible during a run is reported with its key: expressions of t are checked at the start only."""

from pathlib import Path

import pytest
from command import here, write_scene

BAD = '"log(1 - 200*t)"'


@pytest.mark.parametrize(
    ("setting", "place"),
    [
        (f'field=[{{ name = "force", force = [{BAD}, 0, 0] }}]', "field[0].force"),
        (f'field=[{{ name = "force", force = [1, 0, 0], strength = {BAD} }}]', "field[0].strength"),
        (f'field=[{{ name = "swirl", inflow = {BAD} }}]', "field[0].inflow"),
        (f'field=[{{ name = "wind", strength = {BAD} }}]', "field[0].strength"),
        (f'field=[{{ name = "air", wind = [{BAD}, 0, 0] }}]', "field[0].wind"),
        (f'field=[{{ name = "attractor", strength = {BAD} }}]', "field[0].strength"),
        (f'field=[{{ name = "drag", strength = {BAD} }}]', "field[0].strength"),
        ('field=[{ name = "drag", strength = "1 - 200*t" }]', "field[0].strength"),
        ('damping=[{ name = "drag", rate = "1 - 200*t" }]', "damping[0].rate"),
        (f'damping=[{{ name = "rayleigh", stiffness = {BAD} }}]', "damping[0].stiffness"),
        (f'damping=[{{ name = "aerodynamic", wind = [{BAD}, 0, 0] }}]', "damping[0].wind"),
        (f"body[0].stiffness={BAD}", "bar.stiffness"),
        (f"world.gravity={BAD}", "world.gravity"),
    ],
)
def test_the_key_is_named(setting: str, place: str, in_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_scene(in_folder)
    here("run", "bar.toml", "--steps", "3", "--out", "out", "--set", setting, code=2)
    assert capsys.readouterr().err.splitlines()[-1].startswith(f"{place}: ")
