"""Pages that the browser opens, and actions of users on them."""

import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from supple.viewer.page.server import address, close_server, open_server

BLOCK = """
title = "block"
[world]
gravity = 3.0
[time]
step = "1/60"
[[body]]
mesh = { shape = "bar", cells = [5, 3, 3], size = [1.0, 0.6, 0.6] }
material = { name = "stvk", young = 1e5, poisson = 0.3 }
density = 500.0
pin = "left"
"""


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
    """The status line of the simulation, once it exists."""
    tab.goto(url)
    line = tab.get_by_text(re.compile("^t = ")).first
    line.wait_for()
    return line


def uncovered(tab: Any) -> None:
    """Close the warning about software rendering and the panel, which hide the scene in so small a window."""
    alert = tab.get_by_role("alert").get_by_role("button")
    if alert.count():
        alert.first.click()
    tab.get_by_label("Collapse panel area").click()
    tab.wait_for_timeout(500)


def press(tab: Any, name: str) -> None:
    # not by coordinates: in so small a window the warning about software rendering can lie over a button
    tab.get_by_role("button", name=name, exact=True).dispatch_event("click")


def until(found: Callable[[], bool], what: str, patience: float = 60.0) -> None:
    end = time.monotonic() + patience
    while not found():
        assert time.monotonic() < end, f"waited in vain for: {what}"
        time.sleep(0.05)


def choose(tab: Any, old: str, new: str) -> None:
    """Another entry of a dropdown; the first input of the two that show its value is the visible one."""
    tab.locator(f"input[value='{old}']").first.click()
    tab.get_by_role("option", name=new, exact=True).click()


def seconds(text: str) -> float:
    return float(text.split()[2])
