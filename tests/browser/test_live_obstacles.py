"""Obstacles on the live page in a real browser: every kind is visible, and moving ones move."""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pages import BLOCK, opened, press, served, until

from supple.scene.text.load import read_scene
from supple.viewer.live import LivePage, run_live

pytestmark = pytest.mark.browser

OBSTACLES = """
[[obstacle]]
name = "stairs"
shape = "stairs"
origin = [1.5, -2.0, 0.0]
friction = 0.3
[[obstacle]]
name = "ground"
shape = "half-space"
point = [0.0, -2.0, 0.0]
normal = [0.0, 1.0, 0.0]
[[obstacle]]
name = "paddle"
mesh = { shape = "bar", cells = [1, 1, 1], size = [0.1, 0.5, 0.5], origin = [-2.0, -1.5, 0.0] }
motion = { translate = { velocity = [0.2, 0.0, 0.0] } }
"""


@pytest.fixture(scope="module")
def course() -> Iterator[tuple[LivePage, str]]:
    scene = read_scene(tomllib.loads(BLOCK + OBSTACLES), Path(), overrides=["integrator.name=backward-euler"])
    with served(lambda server: LivePage(server, scene), run_live) as page:
        until(lambda: page[0].simulation.latest() is not None, "the simulation")
        yield page


def test_obstacles_are_on_the_page_and_move(course: tuple[LivePage, str], tab: Any, tmp_path: Path) -> None:
    page = course[0]
    opened(tab, course[1])
    for name in ("/obstacles", "/body"):
        tab.get_by_label(f"Edit props for {name}").wait_for(state="attached")
    [patch] = [patch for patch in page._patches if patch.look.obstacle]
    before = page._body.x[patch.points].copy()
    press(tab, "play")
    until(lambda: float((page._body.x[patch.points] - before)[:, 0].min()) > 0.05, "the paddle to move on the page")
    tab.screenshot(path=tmp_path / "obstacles.png")
