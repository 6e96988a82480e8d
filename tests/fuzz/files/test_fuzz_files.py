"""A bounded piece of the fuzzer of files: every kind of case is read, or refused with a sentence that names the file."""

import subprocess
import sys
from pathlib import Path

import pytest

SEED = 24


@pytest.mark.parametrize(("kind", "count"), [("meshes", 20), ("clips", 30), ("folders", 6), ("formulas", 6)])
def test_damaged_files_are_read_or_refused(kind: str, count: int) -> None:
    """In a process of its own, which may fork: the tests before have threads."""
    words = ["-m", "fuzz.files.fuzz_files", f"--{kind}", str(count), "--seed", str(SEED)]
    folder = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, *words], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    assert f"{kind}, seed {SEED}" in done.stdout
