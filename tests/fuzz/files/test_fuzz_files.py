"""A bounded piece of the fuzzer of files: every kind of case is read, or refused with a sentence that names the file."""

import subprocess
import sys
from pathlib import Path

SEED = 24
COUNTS = {"meshes": 12, "clips": 16, "folders": 4, "formulas": 4, "commands": 4}


def test_damaged_files_are_read_or_refused() -> None:
    """In a separate process, which may fork: the tests before have threads."""
    given = [word for kind, count in COUNTS.items() for word in (f"--{kind}", str(count))]
    words = ["-m", "fuzz.files.fuzz_files", *given, "--seed", str(SEED)]
    folder = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, *words], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    for kind in COUNTS:
        assert f"{kind}, seed {SEED}" in done.stdout
