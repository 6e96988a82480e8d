"""The documentation site from the file system: search without a server, pages that fit narrow screens, both themes."""

from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.browser

SITE = Path(__file__).parents[2] / "build" / "site"
NARROW = {"width": 390, "height": 800}


def address(page: str) -> str:
    file = SITE / page
    assert file.exists(), "run `make site` first, or `make test-browser`, which does"
    return file.as_uri()


@pytest.mark.parametrize(
    ("words", "first"),
    [
        ("friction", "guide/contact.html"),
        ("Poisson", "guide/materials.html"),
        ("resume", "guide/recording.html"),
        ("Blender", "guide/blender.html"),
    ],
)
def test_search_finds_the_page_first(tab: Any, words: str, first: str) -> None:
    tab.set_viewport_size({"width": 1280, "height": 800})
    tab.goto(address("index.html"))
    tab.click(".md-search__input")
    tab.type(".md-search__input", words)
    found = tab.locator(".md-search-result__item a").first
    found.wait_for()
    tab.wait_for_function(f"document.querySelector('.md-search-result__item a').href.includes('{first}')")


@pytest.mark.parametrize(
    "page", ["index.html", "methods/choosing-an-integrator.html", "reference/cli.html", "reference/api/model.html"]
)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_narrow_pages_do_not_scroll_sideways(tab: Any, page: str, scheme: str) -> None:
    """Wide tables and code scroll by themselves; the theme is that of the system."""
    tab.emulate_media(color_scheme=scheme)
    tab.set_viewport_size(NARROW)
    tab.goto(address(page))
    tab.wait_for_selector("[data-md-color-scheme]")
    root = "document.documentElement"
    assert tab.evaluate(f"{root}.scrollWidth - {root}.clientWidth") <= 0
    used = {"light": "default", "dark": "slate"}[scheme]
    tab.wait_for_function(f"document.body.dataset.mdColorScheme === '{used}'")
