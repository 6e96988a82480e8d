"""The replay page in a real browser: the scrubber seeks, the film plays at real speed."""

import time
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pages import BLOCK, choose, opened, press, seconds, served, until

from supple.recording.folder import RunFolder, RunStatus
from supple.runs.run import start_run
from supple.scene.text.load import read_scene
from supple.viewer.replay import ReplayPage, Take, run_replay

pytestmark = pytest.mark.browser


def recorded(folder: Path, *overrides: str) -> Take:
    scene = read_scene(tomllib.loads(BLOCK), Path(), overrides=["time.duration=2.0", *overrides])
    run = start_run(scene, folder)
    for _ in run.frames():
        pass
    run.save()
    run.finish(RunStatus.FINISHED)
    return Take(RunFolder.open(folder))


@pytest.fixture(scope="module")
def replay(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[ReplayPage, str]]:
    folder = tmp_path_factory.mktemp("runs")
    take, other = recorded(folder / "one"), recorded(folder / "two", "integrator.name=backward-euler")
    with served(lambda server: ReplayPage(server, take, other), run_replay) as page:
        yield page
    take.close()
    other.close()


def test_the_scrubber_seeks(replay: tuple[ReplayPage, str], tab: Any) -> None:
    page, url = replay
    line = opened(tab, url)
    box = tab.locator("input[inputmode]").first
    box.fill("1.25")
    box.press("Enter")
    until(lambda: abs(seconds(line.inner_text()) - 1.25) < 0.003, "the page to seek")
    assert not page._playing
    np.testing.assert_allclose(page._body.x, page._take.seen(page._take.at(page._t)))
    assert page._plots._handles["energy"].data[0][-1] == pytest.approx(1.25, abs=1 / 59)
    tab.get_by_role("slider").first.focus()
    tab.keyboard.press("Home")
    until(lambda: seconds(line.inner_text()) == 0.0, "the start")


def test_it_plays_at_real_speed_and_stops_at_the_end(replay: tuple[ReplayPage, str], tab: Any) -> None:
    page, url = replay
    line = opened(tab, url)
    press(tab, "start")
    press(tab, "play")
    until(lambda: page._playing, "it to play")
    began, t = time.monotonic(), page._t
    until(lambda: page._t > t + 1.0, "a second of film")
    assert 0.8 < time.monotonic() - began < 3.0
    until(lambda: not page._playing, "the end")
    until(lambda: abs(seconds(line.inner_text()) - 2.0) < 1e-3, "the last moment on the page")


def test_colours(replay: tuple[ReplayPage, str], tab: Any) -> None:
    page, url = replay
    opened(tab, url)
    for old, new in (("nothing", "strain energy"), ("strain energy", "speed"), ("speed", "nothing")):
        choose(tab, old, new)
        until(lambda new=new: page._chosen.value == new, new)
        tab.wait_for_timeout(500)
