"""Targets from arrays, CSV, NPZ and runs, and refusals."""

from pathlib import Path

import numpy as np
import pytest

import supple as sp
from fits.fit_bars import write
from supple.errors import SuppleError
from supple.fits.losses.targets import read_target

T, X = np.array([0.0, 0.1, 0.2]), np.arange(9.0).reshape(3, 3)


def test_csv(tmp_path: Path) -> None:
    file = tmp_path / "tip.csv"
    file.write_text("# measured\nz, t, x, y\n3,0,1,2\n6,0.5,4,5\n")
    found = read_target(file)
    np.testing.assert_array_equal(found.times, [0.0, 0.5])
    np.testing.assert_array_equal(found.x, [[1, 2, 3], [4, 5, 6]])


def test_npz_and_arrays(tmp_path: Path) -> None:
    np.savez(tmp_path / "tip.npz", t=T, x=X)
    for found in (read_target(tmp_path / "tip.npz"), read_target((T, X))):
        np.testing.assert_array_equal(found.times, T)
        np.testing.assert_array_equal(found.x, X)


def test_a_file_beside_the_scene(tmp_path: Path) -> None:
    np.savez(tmp_path / "tip.npz", t=T, x=X)
    assert len(read_target("tip.npz", tmp_path).times) == 3


def test_a_run(tmp_path: Path) -> None:
    run = sp.run(write(tmp_path), steps=3, out=tmp_path / "run", progress=False)
    found = read_target(run.path)
    np.testing.assert_allclose(found.times, np.arange(4) / 60)
    np.testing.assert_array_equal(found.x, run.positions)
    assert found.run == run.path


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("t,x,y\n0,1,2\n", "no column z"),
        ("t,x,y,z\n", "no rows"),
        ("t,x,y,z\n0,1,2,three\n", "row 1"),
        ("t,x,y,z\n0,1,2\n", "row 1"),
        ("t,x,y,z\n0,1,2,nan\n", "nan or inf"),
        ("t,x,y,z\n0.1,1,2,3\n0.1,1,2,3\n", "must increase"),
        ("", "no column"),
    ],
)
def test_tables_that_are_refused(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "tip.csv"
    file.write_text(text)
    with pytest.raises(SuppleError, match=said):
        read_target(file)


def test_files_that_are_refused(tmp_path: Path) -> None:
    (tmp_path / "tip.txt").write_text("t,x,y,z\n")
    (tmp_path / "bad.npz").write_text("not a zip")
    np.savez(tmp_path / "other.npz", t=T)
    for name in ("none.csv", "tip.txt", "bad.npz", "other.npz", "."):
        with pytest.raises(SuppleError):
            read_target(tmp_path / name)
    for pair in ((T, X[:2]), (T, X[:, :2]), (T, X, X), (T * np.nan, X)):
        with pytest.raises(SuppleError):
            read_target(pair)  # type: ignore[arg-type]
