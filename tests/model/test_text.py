"""A world as text: what `to_toml` writes is read back as the same world."""

import tomllib
from pathlib import Path

import pytest

from supple.scene.text.load import load_scene, read_scene
from supple.scene.text.shipped import shipped_scenes


@pytest.mark.parametrize("name", shipped_scenes())
def test_a_shipped_world_is_written_and_read_again(name: str) -> None:
    scene = load_scene(name)
    shot = scene.make()
    text = shot.world.to_toml(shot.method, shot.h, shot.steps, shot.title)
    again = read_scene(tomllib.loads(text), scene.folder).make()
    assert again.world == shot.world
    assert again.method == shot.method
    assert (again.h, again.steps, again.title) == (shot.h, shot.steps, shot.title)


def test_written_text_is_the_same_after_reading_it() -> None:
    shot = load_scene("two-bodies").make()
    text = shot.world.to_toml(shot.method, shot.h, shot.steps)
    again = read_scene(tomllib.loads(text), Path()).make()
    assert again.world.to_toml(again.method, again.h, again.steps) == text
