"""Every example runs; the figures it claims are asserted in the example itself."""

import importlib
import re
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"
NAMES = sorted(file.stem for file in EXAMPLES.glob("*.py"))


def test_every_example_is_found_and_named_in_the_documentation() -> None:
    pages = "".join(page.read_text(encoding="utf-8") for page in (EXAMPLES.parent / "docs").rglob("*.md"))
    linked = set(re.findall(r"examples/(\w+)\.py", pages))
    assert set(NAMES) == linked


@pytest.mark.parametrize("name", NAMES)
def test_example(name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    # imported, not started as a script: the kernels of a material in a module are cached, those of a script are not
    monkeypatch.syspath_prepend(EXAMPLES)
    importlib.import_module(name).main()
    assert capsys.readouterr().out
