"""Everything public is in `supple`, under one name each."""

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import supple as sp

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def writer() -> ModuleType:
    spec = importlib.util.spec_from_file_location("write_api", ROOT / "tools" / "write_api.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_stub_is_current(writer: ModuleType) -> None:
    assert writer.STUB.read_text() == writer.stub(), "run `make docs`"


def test_every_name_can_be_had(writer: ModuleType) -> None:
    names = [name for group in writer.groups().values() for name in group]
    assert len(names) == len(set(names))
    assert {name for name in names if getattr(sp, name, None) is None} == set()
    assert set(names) <= set(dir(sp))
    undocumented = [name for name in names if not (getattr(sp, name).__doc__ or "").strip()]
    assert undocumented == []


def test_an_unknown_name_is_answered() -> None:
    with pytest.raises(AttributeError, match=r"did you mean 'StVK'\?"):
        _ = sp.StVk  # type: ignore[attr-defined]


def test_importing_supple_loads_nothing() -> None:
    code = "import sys, supple; print([m for m in ('numpy', 'numba', 'pydantic', 'matplotlib') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
