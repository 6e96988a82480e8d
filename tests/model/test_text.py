"""A world as text: what `to_toml` writes is read back as the same world."""

import tomllib
from pathlib import Path

import pytest

from supple.scene.text.load import load_scene, read_scene
from supple.scene.text.shipped import shipped_scenes


@pytest.mark.parametrize("name", shipped_scenes())
def test_a_shipped_world_is_written_and_read_again(name: str) -> None:
    scene = load_scene(name)
    setup = scene.make()
    text = setup.world.to_toml(setup.method, setup.h, setup.steps, setup.title)
    again = read_scene(tomllib.loads(text), scene.folder).make()
    assert again.world == setup.world
    assert again.method == setup.method
    assert (again.h, again.steps, again.title) == (setup.h, setup.steps, setup.title)


def test_written_text_is_the_same_after_reading_it() -> None:
    setup = load_scene("two-bodies").make()
    text = setup.world.to_toml(setup.method, setup.h, setup.steps)
    again = read_scene(tomllib.loads(text), Path()).make()
    assert again.world.to_toml(again.method, again.h, again.steps) == text
