"""The live page in a real browser: it plays, its controls act, and a drag moves the body."""

import re
import time
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pages import BLOCK, choose, opened, press, seconds, served, uncovered, until

from supple.recording.film import open_film
from supple.recording.folder import RunFolder, RunStatus
from supple.scene.text.load import load_scene, read_scene
from supple.viewer.figures import INDEX
from supple.viewer.live import LivePage, run_live
from supple.viewer.messages import Colouring, Play, Reset

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of saved and recorded files."""
    return tmp_path_factory.mktemp("kept")


@pytest.fixture(scope="module")
def live(kept: Path) -> Iterator[tuple[LivePage, str]]:
    scene = read_scene(tomllib.loads(BLOCK), Path(), "block.toml")
    with served(lambda server: LivePage(server, scene, out=kept), run_live) as page:
        until(lambda: page[0].simulation.latest() is not None, "the simulation")
        yield page


@pytest.fixture(autouse=True)
def from_the_start(live: tuple[LivePage, str]) -> None:
    simulation = live[0].simulation
    simulation.send(Play(False))
    simulation.send(Reset())
    until(lambda: figure(live[0], "resets") == simulation.resets, "a reset")


def figure(page: LivePage, name: str) -> float:
    shown = page.simulation.latest()
    return float(shown.figures[INDEX[name]]) if shown else float("nan")


def test_play_advances_time(live: tuple[LivePage, str], tab: Any) -> None:
    line = opened(tab, live[1])
    assert seconds(line.inner_text()) == 0.0
    press(tab, "play")
    until(lambda: seconds(line.inner_text()) > 0.3, "time to pass on the page")
    press(tab, "pause")
    until(lambda: figure(live[0], "playing") == 0, "the pause")
    until(lambda: abs(seconds(line.inner_text()) - figure(live[0], "time")) < 1e-3, "the page to show the last step")
    before = figure(live[0], "step")
    press(tab, "step")
    until(lambda: figure(live[0], "step") == before + 1, "a single step")
    press(tab, "reset")
    until(lambda: seconds(line.inner_text()) == 0.0, "the start")


def test_another_integrator_changes_the_energy_curve(live: tuple[LivePage, str], tab: Any) -> None:
    opened(tab, live[1])
    press(tab, "play")
    until(lambda: figure(live[0], "time") > 0.5, "half a second")
    assert abs(figure(live[0], "residual")) < 1e-11 * figure(live[0], "scale")
    curve = live[0]._plots._handles["energy"]
    total = curve.data[5]
    assert np.ptp(total) <= 1e-9 * np.abs(total).max() + 1e-12 * figure(live[0], "scale")
    choose(tab, "avf", "backward-euler")
    until(lambda: figure(live[0], "residual") < -1e-3 * figure(live[0], "scale"), "energy to be lost")
    until(lambda: curve.data[5][-1] < curve.data[5][0] - 1e-3 * figure(live[0], "scale"), "the curve to fall")
    choose(tab, "backward-euler", "avf")
    until(lambda: live[0]._controls.settings.integrator == "avf", "the old method")


def test_a_slider_starts_the_ledger_anew(live: tuple[LivePage, str], tab: Any) -> None:
    opened(tab, live[1])
    press(tab, "play")
    until(lambda: figure(live[0], "step") > 10, "some steps")
    slider = tab.get_by_role("slider").first  # stiffness, then the other properties of the body
    slider.focus()
    for _ in range(4):
        tab.keyboard.press("ArrowRight")
    until(lambda: live[0]._controls.settings.stiffness == pytest.approx(10**0.2), "the slider")
    tab.get_by_text("parameters changed: the energy ledger restarts").wait_for()
    for _ in range(4):
        tab.keyboard.press("ArrowLeft")
    until(lambda: live[0]._controls.settings.stiffness == pytest.approx(1.0), "the slider to come back")


def drag(tab: Any, whence: tuple[float, float], way: tuple[float, float], held: Callable[[], None]) -> None:
    """Shift and the mouse; `held` is called before it lets go."""
    x, y = whence
    tab.keyboard.down("Shift")
    for k in (8, 4, 0):  # several moves: what is under the mouse is found out frame by frame
        tab.mouse.move(x + k, y)
        tab.wait_for_timeout(500)
    tab.mouse.down()
    for k in range(1, 13):
        tab.mouse.move(x + way[0] * k / 12, y + way[1] * k / 12)
        tab.wait_for_timeout(60)
    held()
    tab.mouse.up()
    tab.keyboard.up("Shift")


@pytest.mark.parametrize("colouring", [Colouring.NOTHING, Colouring.STRAIN])
def test_dragging_moves_the_vertex(live: tuple[LivePage, str], tab: Any, colouring: Colouring, tmp_path: Path) -> None:
    page = live[0]
    opened(tab, live[1])
    if colouring is not Colouring.NOTHING:
        choose(tab, "nothing", colouring.value)
        until(lambda: page._painter.chosen is colouring, "the choice")
    press(tab, "play")
    uncovered(tab)
    until(lambda: figure(page, "time") > 0.2, "the fall")

    def pulled() -> None:
        until(lambda: page._held is not None, "the handle")
        held = page._held
        assert held is not None
        assert np.linalg.norm(held[2] - page._start[held[1]]) > 0.02
        until(lambda: figure(page, "other") > 0 and figure(page, "external_work") > 0, "work of the hand")
        until(lambda: (page._body.x[held[1]] - page._start[held[1]]) @ (held[2] - page._start[held[1]]) > 0, "a move")
        tab.screenshot(path=tmp_path / "pulled.png")

    tab.screenshot(path=tmp_path / "before.png")
    drag(tab, (320, 185), (30, -110), pulled)
    until(lambda: figure(page, "other") == 0.0 and page._held is None, "the release")
    assert abs(figure(page, "residual")) < 1e-10 * figure(page, "scale")
    if colouring is not Colouring.NOTHING:
        opened(tab, live[1])  # with its panel again
        choose(tab, colouring.value, "nothing")
        until(lambda: page._painter.chosen is Colouring.NOTHING, "plain colours")


def test_two_tabs_see_the_same_and_closing_one_changes_nothing(
    live: tuple[LivePage, str], tab: Any, second: Any
) -> None:
    line = opened(tab, live[1])
    press(tab, "play")
    other = opened(second, live[1])
    until(lambda: abs(seconds(line.inner_text()) - seconds(other.inner_text())) < 0.5, "both to agree")
    second.close()
    before = figure(live[0], "time")
    until(lambda: figure(live[0], "time") > before + 0.3 and seconds(line.inner_text()) > before, "it to go on")


def test_a_ghost_appears_and_goes(live: tuple[LivePage, str], tab: Any, tmp_path: Path) -> None:
    page = live[0]
    opened(tab, live[1])
    choose(tab, "none", "backward-euler")
    until(lambda: page._ghost is not None and page._ghost.simulation.latest() is not None, "the ghost")
    press(tab, "play")
    until(lambda: page._ghost is not None and page._ghost._total < figure(page, "total"), "the ghost to lose energy")
    tab.get_by_text("total of backward-euler").wait_for()
    tab.screenshot(path=tmp_path / "ghost.png")
    tab.locator("input[value='backward-euler']").first.click()
    tab.get_by_role("option", name="none", exact=True).click()
    until(lambda: page._ghost is None, "the ghost to go")


def test_save_as_scene(live: tuple[LivePage, str], tab: Any, kept: Path) -> None:
    opened(tab, live[1])
    slider = tab.get_by_role("slider").nth(2)  # stiffness, volume conservation, weight
    slider.focus()
    tab.keyboard.press("ArrowRight")
    until(lambda: live[0]._controls.settings.density == pytest.approx(10**0.05), "the slider")
    press(tab, "save as scene")
    until((kept / "block-live.toml").exists, "the file")
    saved = load_scene(kept / "block-live.toml")
    assert saved.body[0].density == pytest.approx(500.0 * 10**0.05)
    assert saved == live[0]._present()
    tab.get_by_text("saved: ").wait_for()
    slider.focus()
    tab.keyboard.press("ArrowLeft")
    until(lambda: live[0]._controls.settings.density == pytest.approx(1.0), "the slider to come back")


def test_record(live: tuple[LivePage, str], tab: Any, kept: Path) -> None:
    opened(tab, live[1])
    press(tab, "record")
    until(lambda: figure(live[0], "recorded") == 1, "the first frame")
    press(tab, "play")
    until(lambda: figure(live[0], "recorded") > 5, "some frames")
    tab.get_by_text("recording: ").first.wait_for()
    press(tab, "stop recording")
    until(lambda: figure(live[0], "recorded") == -1, "the end")
    folder = RunFolder.open(kept / "block-live")
    assert folder.status is RunStatus.FINISHED
    with open_film(folder) as film:
        assert len(film) > 5
    tab.get_by_role("button", name="record", exact=True).wait_for()


def test_the_camera_follows(live: tuple[LivePage, str], tab: Any) -> None:
    page = live[0]
    opened(tab, live[1])
    until(lambda: bool(page._server.get_clients()), "the tab")
    camera = next(iter(page._server.get_clients().values())).camera
    until(lambda: 0.0 < camera.update_timestamp < time.time() - 1.0, "its camera to stand still")
    before, view = np.array(camera.position), np.array(camera.look_at)
    body = page._start[page._body.own]
    page._follow.refresh(body + 1.0)
    assert np.array_equal(camera.position, before)  # it is not asked to
    page._follow.switch.value = True
    page._follow._at = body.mean(axis=0).astype(float)
    for _ in range(50):
        page._follow.refresh(body + 1.0)
    page._follow.switch.value = False
    np.testing.assert_allclose(np.array(camera.position) - before, 1.0, atol=0.1)
    np.testing.assert_allclose(np.array(camera.look_at) - view, 1.0, atol=0.1)


def test_the_sign_says_how_it_goes(live: tuple[LivePage, str], tab: Any) -> None:
    opened(tab, live[1])
    sign = tab.get_by_role("status").filter(has_text=re.compile("paused|playing|busy"))
    until(lambda: sign.inner_text() == "paused", "the pause")
    press(tab, "play")
    until(lambda: sign.inner_text().startswith(("playing", "busy: 0.", "busy: 1/")), "it to run")
