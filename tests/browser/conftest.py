"""A real browser, headless and small."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

sync_api = pytest.importorskip("playwright.sync_api", reason="pip install 'supple[browser]'")
pytest.importorskip("viser", reason="pip install 'supple[viewer]'")

ARGUMENTS = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
ALLOWED = "Unable to preventDefault inside passive event listener"  # of the page's library
LOCAL = ("file:", "http://127.0.0.1:", "ws://127.0.0.1:", "data:", "blob:")
PATIENCE = 60_000


RERUN = pytest.StashKey[list[str]]()
"""Tests that were taken a second time."""


def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool:
    """A browser without a GPU may miss a deadline on a busy machine: a failed test is repeated once, and named at the end."""
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    reports = runtestprotocol(item, nextitem=nextitem, log=False)
    if any(report.failed for report in reports):
        item.config.stash.setdefault(RERUN, []).append(item.nodeid)
        reports = runtestprotocol(item, nextitem=nextitem, log=False)
    for report in reports:
        item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    for name in config.stash.get(RERUN, []):
        terminalreporter.write_line(f"failed at first and was repeated: {name}")


def chromium() -> str | None:
    names = ("chromium", "chromium-browser", "google-chrome")
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    path = chromium()
    if path is None:
        pytest.fail(
            "no Chromium found: `make test-browser` explains the installation; CHROMIUM=/path selects another one"
        )
    with sync_api.sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield running
        running.close()


def small_page(browser: Any) -> Any:
    """A page that software can draw in time, with patience."""
    page = browser.new_page(viewport={"width": 640, "height": 360})
    page.set_default_timeout(PATIENCE)
    return page


@pytest.fixture
def second(browser: Any) -> Iterator[Any]:
    """Another tab."""
    page = small_page(browser)
    yield page
    page.close()


@pytest.fixture
def tab(browser: Any, tmp_path: Path) -> Iterator[Any]:
    """A tab; errors on its console and requests to the network fail the test, and its last look is kept in the test's folder."""
    page = small_page(browser)
    sync_api.expect.set_options(timeout=PATIENCE)
    errors: list[str] = []
    page.on("console", lambda m: errors.append(m.text) if m.type == "error" and ALLOWED not in m.text else None)
    page.on("pageerror", lambda error: errors.append(str(error)))
    strange: list[str] = []
    page.on("request", lambda r: None if r.url.startswith(LOCAL) else strange.append(r.url))
    yield page
    page.screenshot(path=tmp_path / "last.png")
    page.close()
    assert errors == []
    assert strange == []
