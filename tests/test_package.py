"""`import supple` is quick, and offers the main names."""

import subprocess
import sys

import pytest

import supple


def test_import_loads_nothing_heavy() -> None:
    code = "import sys, supple; print(sorted({m.split('.')[0] for m in sys.modules} & {'numpy', 'numba', 'scipy'}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_every_name_is_there() -> None:
    assert dir(supple) == sorted(supple.__all__)
    for name in supple.__all__:
        found = getattr(supple, name)
        if name != "__version__":
            assert found.__name__ == name
            assert found.__doc__
    with pytest.raises(AttributeError, match="no attribute 'jelly'"):
        supple.__getattr__("jelly")
