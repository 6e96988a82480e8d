"""A small scene that is right, to be spoilt by the tests."""

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from supple.errors import SceneError
from supple.scene.text.load import read_scene

PLAIN = """
title = "a bar"
[time]
step = "1/30"
duration = 2
[integrator]
name = "newmark"
beta = 0.3
[[body]]
mesh = { shape = "bar", cells = [4, 1, 1], size = [4, 0.5, 0.5] }
material = { name = "stvk", young = 1e5, poisson = 0.3 }
pin = "left"
"""


@pytest.fixture
def plain() -> dict[str, Any]:
    return tomllib.loads(PLAIN)


@pytest.fixture
def complaints(tmp_path: Path) -> Callable[[dict[str, Any]], list[str]]:
    """All problems of a scene that must be refused."""

    def check(data: dict[str, Any]) -> list[str]:
        with pytest.raises(SceneError) as caught:
            read_scene(data, tmp_path)
        return caught.value.problems

    return check
