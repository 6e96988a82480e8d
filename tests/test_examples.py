"""Every example runs; the figures it claims are asserted in the example itself."""

import importlib
import re
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"
NAMES = sorted(file.stem for file in EXAMPLES.glob("*.py"))
LONG = {"carried_column", "fitted_cantilever", "one_dimension", "soft_part", "thrown_bar", "wedge"}
"""Run by `make study`; their results are asserted in fits, integrators, sweeps, notebooks and pages as well."""


def test_every_example_is_found_and_named_in_the_documentation() -> None:
    pages = "".join(page.read_text(encoding="utf-8") for page in (EXAMPLES.parent / "docs").rglob("*.md"))
    linked = set(re.findall(r"examples/(\w+)\.py", pages))
    assert set(NAMES) == linked


@pytest.mark.parametrize("name", sorted(LONG))
def test_a_long_example_can_be_imported(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(EXAMPLES)
    assert callable(importlib.import_module(name).main)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.study) if name in LONG else name for name in NAMES]
)
def test_example(name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    # imported, not started as a script: the kernels of a material in a module are cached, those of a script are not
    monkeypatch.syspath_prepend(EXAMPLES)
    importlib.import_module(name).main()
    assert capsys.readouterr().out
