"""The report in a real browser, from disk, with the network shut: it reads, zooms and hides, and nothing complains."""

import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from report_runs import make_run
from supple.render.report.page import write_report
from supple.runs.accounts import account_of

pytestmark = pytest.mark.browser

PLOT = "#plot-energy"


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A page of one run, and one of three."""
    folder = tmp_path_factory.mktemp("reports")
    rates = {"avf": 0.0, "backward-euler": -3.0, "midpoint": 9.0}
    runs = [account_of(make_run(folder / name, method=name, rate=rate)) for name, rate in rates.items()]
    made = {"one": folder / "one.html", "three": folder / "three.html"}
    write_report(runs[:1], made["one"], film=True)
    write_report(runs, made["three"])
    return made


@pytest.fixture
def asked(tab: Any) -> list[str]:
    """Requests of the page to other hosts, all of them refused."""
    found: list[str] = []

    def answer(route: Any) -> None:
        if route.request.url.startswith(("file:", "data:")):
            route.continue_()
        else:
            found.append(route.request.url)
            route.abort()

    tab.context.route("**/*", answer)
    return found


def canvas(tab: Any) -> Any:
    tab.locator(f"{PLOT} .stage canvas").scroll_into_view_if_needed()
    return tab.locator(f"{PLOT} .stage canvas").bounding_box()


def pixels(tab: Any) -> str:
    tab.mouse.move(1, 1)
    return str(tab.evaluate(f"document.querySelector('{PLOT} .stage canvas').toDataURL()"))


def until(holds: Callable[[], bool]) -> None:
    """Wait here: the page's own rules forbid the browser's way, which evaluates text."""
    end = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.1)


@pytest.mark.parametrize("name", ["one", "three"])
def test_opens_from_disk_without_a_network(tab: Any, asked: list[str], files: dict[str, Path], name: str) -> None:
    for width in (600, 1200):
        tab.set_viewport_size({"width": width, "height": 800})
        tab.goto(files[name].as_uri())
        assert tab.locator(".stage canvas").count() == {"one": 7, "three": 8}[name]
        assert tab.evaluate("document.documentElement.scrollWidth") <= width
        unnamed = "e => [...e].filter(b => !b.textContent.trim() && !b.getAttribute('aria-label')).length"
        assert tab.locator("button, canvas[tabindex]").evaluate_all(unnamed) == 0
    assert asked == []


def test_hover_reads_the_history(tab: Any, files: dict[str, Path]) -> None:
    tab.goto(files["one"].as_uri())
    box = canvas(tab)
    readout = tab.locator(f"{PLOT} .readout")
    assert not readout.is_visible()
    tab.mouse.move(box["x"] + box["width"] - 15, box["y"] + box["height"] / 2)
    # the last row: t = 1 s, 10 J, of which sin^2(1) are kinetic
    assert readout.text_content().splitlines()[0] == "1 s"
    assert "total: 10 J" in readout.text_content()
    assert "kinetic: 7.080734 J" in readout.text_content()
    tab.mouse.move(1, 1)
    assert not readout.is_visible()


def test_drag_zooms_and_double_click_goes_back(tab: Any, files: dict[str, Path]) -> None:
    tab.goto(files["one"].as_uri())
    box, before = canvas(tab), pixels(tab)
    y = box["y"] + box["height"] / 2
    tab.mouse.move(box["x"] + 0.4 * box["width"], y)
    tab.mouse.down()
    tab.mouse.move(box["x"] + 0.6 * box["width"], y, steps=4)
    tab.mouse.up()
    assert tab.locator(PLOT).get_attribute("data-zoomed") == "true"
    assert pixels(tab) != before
    tab.mouse.dblclick(box["x"] + 0.5 * box["width"], y)
    assert tab.locator(PLOT).get_attribute("data-zoomed") == "false"
    assert pixels(tab) == before


def test_names_hide_curves(tab: Any, files: dict[str, Path]) -> None:
    tab.goto(files["three"].as_uri())
    canvas(tab)
    before = pixels(tab)
    name = tab.locator(PLOT).get_by_role("button", name="midpoint")
    name.click()
    assert name.get_attribute("aria-pressed") == "false"
    assert pixels(tab) != before
    box = canvas(tab)
    tab.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert "midpoint" not in tab.locator(f"{PLOT} .readout").text_content()
    name.click()
    assert pixels(tab) == before


def test_keys_do_what_the_mouse_does(tab: Any, files: dict[str, Path]) -> None:
    tab.goto(files["one"].as_uri())
    plot = tab.locator(f"{PLOT} .stage canvas")
    plot.focus()
    plot.press("ArrowRight")
    assert re.match(r"0\.55 s", tab.locator(f"{PLOT} .readout").text_content())
    plot.press("+")
    assert tab.locator(PLOT).get_attribute("data-zoomed") == "true"
    plot.press("Escape")
    assert tab.locator(PLOT).get_attribute("data-zoomed") == "false"


def test_the_film_plays(tab: Any, files: dict[str, Path]) -> None:
    tab.goto(files["one"].as_uri())
    video = tab.locator("video")
    video.evaluate("v => v.play()")
    until(lambda: video.evaluate("v => v.currentTime") > 0.1)


def test_dark_and_printed(tab: Any, files: dict[str, Path]) -> None:
    tab.goto(files["three"].as_uri())
    canvas(tab)
    light = pixels(tab)
    tab.emulate_media(color_scheme="dark")
    until(lambda: pixels(tab) != light)
    assert len(tab.pdf()) > 10_000


def test_without_scripts_there_are_pictures(browser: Any, files: dict[str, Path]) -> None:
    page = browser.new_page(java_script_enabled=False)
    page.goto(files["three"].as_uri())
    assert page.locator("noscript img").count() == 8
    assert page.locator("noscript img").first.bounding_box()["width"] > 300
    page.close()
