"""The page of a gallery in a real browser: pictures load, in both themes, and verdicts choose panels."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from supple.gallery.choice import choose
from supple.gallery.page.page import write_page
from supple.gallery.tour import Tour
from supple.gallery.work import carry_out

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_page_with_two_panels(browser: Browser, tmp_path: Path, scheme: str) -> None:
    names = ["A8", "R-s"]
    tour = Tour(choose(names), tmp_path, False, {name: carry_out(name, str(tmp_path), full=False) for name in names})
    context = browser.new_context(color_scheme=scheme)
    page = context.new_page()
    troubles: list[str] = []
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("requestfailed", lambda request: troubles.append(request.url))
    page.goto(write_page(tour).as_uri())
    page.evaluate("document.querySelectorAll('img').forEach(image => { image.loading = 'eager'; })")
    page.wait_for_function("[...document.images].every(image => image.complete && image.naturalWidth > 0)")
    shown = page.evaluate("[...document.images].map(image => image.currentSrc.endsWith('-dark.svg'))")
    assert set(shown) == {scheme == "dark"}
    page.get_by_role("button", name="not reproduced").click()
    assert not page.locator("#A8").is_visible()
    assert page.locator("#R-s").is_visible()
    page.get_by_role("button", name="not reproduced").click()
    assert page.locator("#A8").is_visible()
    assert not troubles
    context.close()
