"""A file that an interruption leaves open is closed before Python ends: HDF5 would call its file object afterwards."""

import subprocess
import sys
from pathlib import Path

import h5py

SCRIPT = """
import sys
from pathlib import Path
import h5py
from supple.recording.quiet_file import QuietFile
from supple.recording.vtkhdf import open_file

file = open_file(QuietFile(Path("film.h5"), new=True), "w")
file["a"] = [1, 2, 3]
h5py.h5i.inc_ref(file.id)  # a reference that nobody gives back
sys.exit(3)
"""


def test_a_file_left_open_does_not_crash_the_process(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (3, "")
    with h5py.File(tmp_path / "film.h5") as file:
        assert list(file["a"]) == [1, 2, 3]
