"""Every example runs; the figures it claims are asserted in the example itself."""

import importlib
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"
NAMES = sorted(file.stem for file in EXAMPLES.glob("*.py"))


def test_there_are_examples() -> None:
    assert len(NAMES) >= 4


@pytest.mark.parametrize("name", NAMES)
def test_example(name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    # imported, not started as a script: the kernels of a material in a module are cached, those of a script are not
    monkeypatch.syspath_prepend(EXAMPLES)
    importlib.import_module(name).main()
    assert capsys.readouterr().out
