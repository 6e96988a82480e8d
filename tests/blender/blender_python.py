"""Blender as a Python module, and the extension installed in a separate folder."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
PYTHON = ROOT / os.environ.get("BLENDER", ".venv-blender") / "bin" / "python"
needs_blender = [
    pytest.mark.blender,
    pytest.mark.skipif(not PYTHON.exists(), reason="Blender's module is not installed; run `make test-blender`"),
]
INSTALL = """
import os, sys, bpy
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.extensions.package_install_files(filepath=sys.argv[1], repo="user_default", enable_on_install=True)
assert hasattr(bpy.types.Object, "supple")
os._exit(0)
"""


def surroundings(home: Path) -> dict[str, str]:
    """Variables of a Blender whose preferences and extensions live in `home`, and that starts the supple under test."""
    kept = {
        "BLENDER_USER_RESOURCES": str(home),
        "SUPPLE_PYTHON": sys.executable,
        "PYTHONPATH": os.environ.get("PYTHONPATH", str(ROOT / "src")),
    }
    return {**os.environ, **kept}


def in_blender(home: Path, *words: object) -> str:
    """Output of a run of Blender's Python."""
    command = [PYTHON, *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=surroundings(home))
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def install(archive: Path, home: Path) -> None:
    """As from the preferences of Blender: from a zip on the disk."""
    in_blender(home, "-c", INSTALL, archive)


def played(home: Path, case: str, folder: Path) -> dict[str, np.ndarray]:
    """Results of a case of tests/blender/cases."""
    in_blender(home, HERE / "stage.py", case, folder)
    with np.load(folder / "found.npz") as found:
        return dict(found)
