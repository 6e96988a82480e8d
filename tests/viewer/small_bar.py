"""A scene that is simulated in no time."""

import tomllib
from pathlib import Path

from supple.scene.tables.scene import Scene
from supple.scene.text.load import read_scene

BAR = """
[time]
step = "1/60"
[[body]]
mesh = { shape = "bar", cells = [4, 1, 1], size = [1.0, 0.25, 0.25] }
material = { name = "stvk", young = 2e4, poisson = 0.3 }
density = 500.0
pin = "left"
"""


def bar(**changes: str) -> Scene:
    return read_scene(tomllib.loads(BAR), Path(), overrides=[f"{k}={v}" for k, v in changes.items()])
