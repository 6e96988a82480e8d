"""The page of a sweep in a real browser, from disk: the scrubber moves all runs, the table sorts and filters, and a run under
the mouse is marked everywhere."""

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from supple.sweeps.manifest import Manifest
from supple.sweeps.report.writing import write_pages
from sweep_runs import FAILED, make_sweep

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = make_sweep(tmp_path_factory.mktemp("sweep") / "sweep")
    write_pages(Manifest.read(folder), folder / "report.html", pages=True)
    return folder / "report.html"


@pytest.fixture
def page(tab: Any, file: Path) -> Any:
    tab.set_viewport_size({"width": 1200, "height": 800})
    tab.goto(file.as_uri())
    return tab


def picture(page: Any, selector: str) -> Any:
    """Pixels of a node."""
    node = page.locator(selector)
    node.scroll_into_view_if_needed()
    return np.asarray(Image.open(io.BytesIO(node.screenshot())), dtype=float)[..., :3]


def tile(run: int) -> str:
    return f".tile[data-run='{run}'] .shot"


def rows(page: Any) -> list[int]:
    return [int(r.get_attribute("data-run")) for r in page.locator("#runs tbody tr:visible").all()]


def canvas(page: Any, name: str) -> Any:
    page.locator(f"#{name} canvas").scroll_into_view_if_needed()
    return page.locator(f"#{name} canvas").bounding_box()


def test_shows_all_runs_in_a_narrow_and_a_wide_window(page: Any, file: Path) -> None:
    assert page.locator(".tile:visible").count() == 6
    assert page.locator(".grid .head").all_text_contents() == [
        "name avf",
        "name bdf2",
        "young 1e5",
        "young 4e5",
        "young 1e6",
    ]
    assert "not finite: <unstable>" in page.locator(tile(FAILED)).text_content()
    assert page.locator(".failures li").count() == 1
    unnamed = "e => [...e].filter(b => !b.textContent.trim() && !b.getAttribute('aria-label')).length"
    assert page.locator("button").evaluate_all(unnamed) == 0
    page.set_viewport_size({"width": 420, "height": 800})
    page.goto(file.as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") <= 420


def test_the_scrubber_moves_every_picture(page: Any) -> None:
    before = [picture(page, tile(k)) for k in range(4)]
    assert page.locator("#clock").text_content() == "0.875 s"
    page.locator("#time").fill("0")
    assert page.locator("#clock").text_content() == "0 s"
    for k, old in enumerate(before):
        assert np.abs(picture(page, tile(k)) - old).mean() > 2.0
    # a run that ended before that time is marked
    classes = page.locator(f".tile[data-run='{FAILED}']")
    assert "over" not in classes.get_attribute("class")
    page.locator("#time").fill("20")
    assert "over" in classes.get_attribute("class")


def test_plays(page: Any) -> None:
    page.locator("#time").fill("0")
    page.locator("#play").click()
    page.locator("#clock").get_by_text("0.1").wait_for()
    page.locator("#play").click()
    assert page.locator("#play").text_content() == "Play"


def test_sorts(page: Any) -> None:
    assert rows(page) == [0, 1, 2, 3, 4, 5]
    head = page.locator("#runs").get_by_role("button", name="total@end")
    head.click()
    # runs without a figure stay last both ways
    assert rows(page) == [3, 2, 1, 0, 4, 5]
    head.click()
    assert rows(page) == [0, 1, 2, 3, 4, 5]
    assert page.locator("th[aria-sort='descending']").count() == 1
    page.locator("#runs").get_by_role("button", name="name").click()
    assert rows(page) == [0, 2, 4, 1, 3, 5]


def test_filters_table_and_sheet(page: Any) -> None:
    for name, text, found in (
        ("name", "avf", [0, 2, 4]), ("name", "!= avf", [1, 3, 5]), ("young", "> 1e5", [2, 3, 4, 5]), ("young", "400000", [2, 3]),
        ("young", "2e5..5e5", [2, 3]), ("young", "1e5, 1e6", [0, 1, 4, 5]), ("loss", "<= 0.1", [0, 1]), ("state", "failed", [4]),
    ):  # fmt: skip
        field = page.get_by_label(f"filter {name}", exact=True)
        field.fill(text)
        assert rows(page) == found, text
        assert page.locator(".tile:not(.out)").count() == len(found)
        field.fill("")
    page.get_by_label("filter young", exact=True).fill("stiff")
    assert page.get_by_label("filter young", exact=True).get_attribute("aria-invalid") == "true"
    assert "give 3, > 3, <= 2 or 1..5" in page.get_by_label("filter young", exact=True).get_attribute("title")
    assert len(rows(page)) == 6
    page.get_by_label("filter name", exact=True).fill("avf")
    page.get_by_role("button", name="Show all runs").click()
    assert page.locator("#count").text_content() == "6 runs"


def test_the_mouse_marks_a_run_everywhere(page: Any) -> None:
    drawn = "document.querySelector('#curves canvas').toDataURL()"
    page.wait_for_timeout(300)
    before = page.evaluate(drawn)
    page.locator("#runs tbody tr").nth(2).hover()
    assert "lit" in page.locator(".tile[data-run='2']").get_attribute("class")
    assert page.locator("#scatter .readout").text_content().startswith("run 2: young=4e+05, name=avf")
    assert page.evaluate(drawn) != before
    # and from a curve: run 3 lies lowest, run 0 is level
    box = canvas(page, "curves")
    page.mouse.move(box["x"] + box["width"] - 40, box["y"] + box["height"] - 70)
    page.locator("#curves .readout").get_by_text("run 3").wait_for()
    assert "lit" in page.locator("#runs tr[data-run='3']").get_attribute("class")


def test_a_drag_along_an_axis_filters(page: Any) -> None:
    box = canvas(page, "parallel")
    page.mouse.move(box["x"] + 70, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + 70, box["y"] + box["height"] / 2, steps=4)
    page.mouse.up()
    assert page.locator("#count").text_content() == "4 of 6 runs"
    assert ".." in page.get_by_label("filter young", exact=True).input_value()
    page.mouse.click(box["x"] + 70, box["y"] + 100)
    assert page.locator("#count").text_content() == "6 runs"
    assert page.get_by_label("filter young", exact=True).input_value() == ""


def test_a_click_opens_the_larger_film(page: Any) -> None:
    page.locator(tile(1)).click()
    dialog = page.locator("#detail")
    assert dialog.locator("h2").text_content() == "Run 1: young=1e+05, name=bdf2"
    assert dialog.locator(".shot").bounding_box()["width"] > 400
    first = picture(page, "#detail .shot")
    page.locator("#detail output").get_by_text("0.3").wait_for()
    assert np.abs(picture(page, "#detail .shot") - first).mean() > 1.0
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    assert "not finite" in dialog.locator(".warning").text_content()
    page.keyboard.press("ArrowLeft")
    assert dialog.locator("a").get_attribute("href") == "runs/003/report.html"
    dialog.locator("a").click()
    page.wait_for_url("**/runs/003/report.html")


def test_kept_runs_stay_in_the_address(page: Any, file: Path) -> None:
    page.get_by_label("keep run 2").check()
    page.get_by_label("keep run 3").check()
    assert page.url.endswith("#keep=2,3")
    assert "runs/002 runs/003" in page.locator("#kept").text_content()
    page.goto("about:blank")
    page.goto(file.as_uri() + "#keep=2,3")
    page.get_by_label("kept only").check()
    assert page.locator(".tile:visible").count() == 2
    assert rows(page) == [2, 3]


def test_arrangement_and_colours(page: Any) -> None:
    page.locator("#across").select_option("young")
    page.locator("#down").select_option("as they fit")
    assert page.locator(".grid .cell").count() == 3
    page.locator("#across").select_option("as they fit")
    assert page.locator("#sheet").get_attribute("class") == "flow"
    tone = "e => getComputedStyle(e).getPropertyValue('--tone')"
    old = page.locator(".tile").first.evaluate(tone)
    page.locator("#colour").select_option("name")
    assert page.locator(".tile").first.evaluate(tone) != old
    assert page.locator("#scale .chip").all_text_contents() == ["avf", "bdf2"]


def test_dark_and_without_scripts(page: Any, browser: Any, file: Path) -> None:
    light = picture(page, "#scatter canvas")
    page.emulate_media(color_scheme="dark")
    page.wait_for_timeout(300)
    assert picture(page, "#scatter canvas").mean() < 0.5 * light.mean()
    plain = browser.new_page(java_script_enabled=False)
    plain.goto(file.as_uri())
    assert plain.locator(".tile").count() == 6
    assert plain.locator("#runs tbody tr").count() == 6
    assert not plain.locator("#bar").is_visible()
    assert "Scripts are off" in plain.locator("noscript").text_content()
    plain.close()
