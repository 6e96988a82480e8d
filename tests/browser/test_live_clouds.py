"""A cloud of points on the live page in a real browser: visible, moving, lifted by a pull, with obstacles that follow scripts."""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pages import opened, press, served, uncovered, until
from test_live_page import drag, figure

from supple.scene.text.load import read_scene
from supple.viewer.live import LivePage, run_live

pytestmark = pytest.mark.browser

CLOUD = """
title = "jelly of points"
[time]
step = 0.004
[integrator]
name = "mpm"
cell = 0.1
[[body]]
mesh = { shape = "bar", cells = [3, 3, 3], size = [0.6, 0.6, 0.6] }
points = { per_cell = 8 }
material = { name = "stable-neo-hookean", young = 3e4, poisson = 0.3 }
initial = { translate = [0.0, 0.05, 0.0] }
[[obstacle]]
shape = "half-space"
law = "separate"
friction = 0.3
[[obstacle]]
name = "lift"
mesh = { shape = "bar", cells = [1, 1, 1], size = [0.2, 0.2, 0.2], origin = [1.0, 0.0, 0.2] }
law = "sticky"
colour = "orange"
motion = { translate = { velocity = [0.0, 0.5, 0.0] }, stop = 1.0 }
"""


@pytest.fixture(scope="module")
def cloud() -> Iterator[tuple[LivePage, str]]:
    scene = read_scene(tomllib.loads(CLOUD), Path())
    with served(lambda server: LivePage(server, scene), run_live) as page:
        until(lambda: page[0].simulation.latest() is not None, "the simulation")
        yield page


def test_points_move_and_can_be_pulled(cloud: tuple[LivePage, str], tab: Any, tmp_path: Path) -> None:
    page = cloud[0]
    opened(tab, cloud[1])
    tab.get_by_label("Edit props for /body").wait_for(state="attached")
    [patch] = page._patches
    assert len(patch.lone) == len(page._start) == 1728
    [(_, lift)] = page._props._moving
    press(tab, "play")
    uncovered(tab)
    until(lambda: page._body.x[:, 1].mean() < page._start[:, 1].mean() - 0.03, "the fall")
    until(lambda: lift.position[1] > 0.2, "the lift to rise on the page")
    tab.screenshot(path=tmp_path / "standing.png")

    def pulled() -> None:
        until(lambda: page._held is not None, "the handle")
        until(lambda: figure(page, "external_work") > 1.0, "work of the hand")
        vertex = page._held[1] if page._held is not None else 0
        until(lambda: page._body.x[vertex, 1] > page._start[vertex, 1], "the points under the mouse to rise")
        near = np.linalg.norm(page._start - page._start[vertex], axis=1) < 0.1
        assert (page._body.x[near, 1] > page._start[near, 1]).mean() > 0.5
        tab.screenshot(path=tmp_path / "pulled.png")

    drag(tab, (300, 190), (0, -110), pulled)
    until(lambda: page._held is None and figure(page, "other") == 0.0, "the release")
