"""A real browser, headless and small, and pages of ours for it to open."""

import os
import re
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from supple.viewer.server import address, close_server, open_server

sync_api = pytest.importorskip("playwright.sync_api", reason="pip install 'supple[browser]'")
pytest.importorskip("viser", reason="pip install 'supple[viewer]'")

ARGUMENTS = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
ALLOWED = "Unable to preventDefault inside passive event listener"  # of the page's library
PATIENCE = 60_000


def chromium() -> str | None:
    names = ("chromium", "chromium-browser", "google-chrome")
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    path = chromium()
    if path is None:
        pytest.skip("no Chromium here: `make test-browser` says how to get it, CHROMIUM names one elsewhere")
    with sync_api.sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield running
        running.close()


@pytest.fixture
def tab(browser: Any, tmp_path: Path) -> Iterator[Any]:
    """A tab; errors on its console fail the test, and its last look is kept in the test's folder."""
    page = browser.new_page(viewport={"width": 640, "height": 360})
    page.set_default_timeout(PATIENCE)
    sync_api.expect.set_options(timeout=PATIENCE)
    errors: list[str] = []
    page.on("console", lambda m: errors.append(m.text) if m.type == "error" and ALLOWED not in m.text else None)
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    page.screenshot(path=tmp_path / "last.png")
    page.close()
    assert errors == []


@contextmanager
def served(make: Callable[[Any], Any], run: Callable[[Any, list[int]], None]) -> Iterator[tuple[Any, str]]:
    """A page of ours and its address, kept up to date by a thread."""
    server = open_server("127.0.0.1", None, "test")
    asked: list[int] = []
    page = make(server)
    thread = threading.Thread(target=run, args=(page, asked), daemon=True)
    thread.start()
    try:
        yield page, address(server)
    finally:
        asked.append(1)
        thread.join(30)
        if hasattr(page, "close"):
            page.close()
        close_server(server)
        assert not thread.is_alive()


def opened(tab: Any, url: str) -> Any:
    """The line that says where the simulation stands, once it is there."""
    tab.goto(url)
    line = tab.get_by_text(re.compile("^t = ")).first
    sync_api.expect(line).to_be_visible()
    return line


def uncovered(tab: Any) -> None:
    """Close the warning about software rendering and the panel, which hide the scene in so small a window."""
    alert = tab.get_by_role("alert").get_by_role("button")
    if alert.count():
        alert.first.click()
    tab.get_by_label("Minimize panel").click()
    tab.wait_for_timeout(500)


def press(tab: Any, name: str) -> None:
    tab.get_by_role("button", name=name, exact=True).click(force=True)
