"""Takes screenshots of the live page and of the replay, in docs/images, as a browser shows them.

    python tools/draw_pages.py [NAME ...]

Names are those of PICTURES; without any, all are taken, in about two minutes. It needs Chromium; the environment variable
CHROMIUM names one that is not on the path.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import chdir, contextmanager
from pathlib import Path
from typing import Any

from draw_report import chromium
from PIL import Image
from playwright.sync_api import sync_playwright

IMAGES = Path(__file__).parent.parent / "docs" / "images"
FLAGS = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
PATIENCE = 90_000
"""Of the browser, which draws by software [ms]."""
MOMENT = re.compile(r"^t = ([\d.]+)")


@contextmanager
def served(*command: str) -> Iterator[str]:
    """The address of a page of ours, in a folder of its own."""
    words = [sys.executable, "-m", "supple", *command, "--no-browser"]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield next(found[0] for line in process.stdout if (found := re.search(r"http://\S+", line)))
    finally:
        process.terminate()
        process.wait(60)


@contextmanager
def opened(address: str, width: int, height: int) -> Iterator[Any]:
    """A tab with the page, drawn in full."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        tab = browser.new_page(viewport={"width": width, "height": height})
        tab.set_default_timeout(PATIENCE)
        tab.goto(address)
        tab.get_by_text(MOMENT).first.wait_for()
        close_warning(tab)
        yield tab
        browser.close()


def close_warning(tab: Any) -> None:
    """Of software rendering, which the readers' browsers do not need."""
    tab.wait_for_timeout(2000)
    alert = tab.get_by_role("alert").get_by_role("button")
    if alert.count():
        alert.first.click()


def press(tab: Any, name: str) -> None:
    tab.get_by_role("button", name=name, exact=True).dispatch_event("click")


def choose(tab: Any, old: str, new: str) -> None:
    """Another entry of the dropdown that shows the old one."""
    tab.locator(f"input[value='{old}']").first.click()
    tab.get_by_role("option", name=new, exact=True).click()


def wait_until(tab: Any, time: float) -> None:
    """Until the page shows this simulated time [s]."""
    while float(MOMENT.findall(tab.get_by_text(MOMENT).first.inner_text())[0]) < time:
        tab.wait_for_timeout(100)


def pull(tab: Any, start: tuple[int, int], end: tuple[int, int]) -> None:
    """Shift and a drag of the left button, which stays pressed."""
    tab.keyboard.down("Shift")
    for k in (8, 4, 0):  # several moves: the page finds what is under the mouse frame by frame
        tab.mouse.move(start[0] + k, start[1])
        tab.wait_for_timeout(500)
    tab.mouse.down()
    for k in range(1, 13):
        tab.mouse.move(start[0] + (end[0] - start[0]) * k / 12, start[1] + (end[1] - start[1]) * k / 12)
        tab.wait_for_timeout(60)


def live() -> Image.Image:
    """The page of the jelly, while the mouse pulls at it."""
    with served("live", "jelly") as address, opened(address, 1100, 720) as tab:
        choose(tab, "nothing", "strain energy")
        press(tab, "play")
        wait_until(tab, 1.0)
        pull(tab, (400, 290), (560, 130))
        tab.wait_for_timeout(4000)
        return shot(tab)


def ghost() -> Image.Image:
    """A second method beside the first, with the plots."""
    with served("live", "jelly", "--ghost", "backward-euler") as address, opened(address, 1100, 720) as tab:
        press(tab, "play")
        wait_until(tab, 4.0)  # both have compiled their kernels
        press(tab, "pause")
        press(tab, "reset")
        tab.get_by_text("t = 0.000 s").first.wait_for()
        press(tab, "play")
        wait_until(tab, 3.0)
        press(tab, "pause")
        tab.wait_for_timeout(2500)
        tab.get_by_text("total of backward-euler").evaluate("place => place.parentElement.scrollIntoView()")
        tab.wait_for_timeout(500)
        return shot(tab)


def replay() -> Image.Image:
    """Two recorded runs, one as the ghost of the other."""
    compare = ("compare", "twisting-bar", "--integrators", "avf,backward-euler", "--out", "twist")
    subprocess.run([sys.executable, "-m", "supple", *compare], check=True, stdout=subprocess.DEVNULL)
    with served("view", "twist/avf", "--with", "twist/backward-euler") as address, opened(address, 1100, 720) as tab:
        box = tab.locator("input[inputmode]").first
        box.fill("2.5")
        box.press("Enter")
        tab.wait_for_timeout(3000)
        return shot(tab)


def shot(tab: Any) -> Image.Image:
    path = Path("shot.png")
    tab.screenshot(path=path)
    with Image.open(path) as picture:
        return picture.convert("RGB")


PICTURES: dict[str, Callable[[], Image.Image]] = {"live-page": live, "live-ghost": ghost, "replay": replay}
"""Pictures by name; the file is `docs/images/NAME.png`."""


def main(names: list[str]) -> None:
    if unknown := set(names) - set(PICTURES):
        sys.exit(f"unknown: {', '.join(sorted(unknown))}; known: {', '.join(PICTURES)}")
    for name in names or PICTURES:
        with tempfile.TemporaryDirectory() as folder, chdir(folder):
            # few colours, so that the picture stays small
            picture = PICTURES[name]().quantize(256, Image.Quantize.MAXCOVERAGE, kmeans=2, dither=Image.Dither.NONE)
        picture.save(IMAGES / f"{name}.png", optimize=True)


if __name__ == "__main__":
    main(sys.argv[1:])
