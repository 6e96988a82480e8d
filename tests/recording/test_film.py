"""A film between its frames: cubic Hermite, of order 4; at its frames: what was recorded."""

from pathlib import Path

import numpy as np
import pytest

from supple.errors import RecordError
from supple.recording.animation import AnimationWriter
from supple.recording.cells import Cells
from supple.recording.film import Film, body_ranges
from supple.recording.playback import open_animation

CELLS = Cells.join([np.array([[0, 1, 2, 3]]), np.array([[4, 5, 6]]), np.array([[6, 7]])])
METADATA = {"up": "z", "bodies": body_ranges([("tet", 4), ("flag with pole", 4)])}
X = np.random.default_rng(1).random((8, 3))


def motion(t: float) -> tuple[np.ndarray, np.ndarray]:
    """A swing that is large beside the rounding of float32."""
    phase = 2 * t + X
    return np.sin(phase), 2 * np.cos(phase)


def make(path: Path, times: np.ndarray) -> Film:
    writer = AnimationWriter.create(path, CELLS, 8, len(times), METADATA)
    for t in times:
        x, v = motion(t)
        writer.record(float(t), x, v, np.full(8, t))
    writer.close()
    return Film(open_animation(path))


def test_order_four(tmp_path: Path) -> None:
    errors, slopes = [], []
    for count in (4, 8, 16):
        with make(tmp_path / f"{count}.vtkhdf", np.linspace(0, 2, count + 1)) as film:
            wanted = np.linspace(0, 2, 203)
            pairs = [(film.at(t), motion(t)) for t in wanted]
            errors.append(max(np.abs(moment.x - x).max() for moment, (x, _) in pairs))
            slopes.append(max(np.abs(moment.v - v).max() for moment, (_, v) in pairs))
    orders = np.log2(np.divide(errors[:-1], errors[1:]))
    assert np.abs(orders - 4).max() < 0.15
    assert np.abs(np.log2(np.divide(slopes[:-1], slopes[1:])) - 3).max() < 0.25
    # |x''''| / 384 h^4 is the bound of Hermite interpolation
    assert errors[0] < 2**4 / 384 * 0.5**4 + 1e-6


def test_recorded_frames_come_as_recorded(tmp_path: Path) -> None:
    times = np.cumsum(np.full(100, 1 / 60)) - 1 / 60  # as steps add up, with their rounding
    with make(tmp_path / "a.vtkhdf", times) as film:
        for k, t in enumerate(film.sample(60.0)):
            np.testing.assert_array_equal(film.at(t).x, film.frame(k).x)
            np.testing.assert_array_equal(film.at(t).v, film.frame(k).v)
            np.testing.assert_array_equal(film.at(k / 60).x, film.frame(k).x)
        assert len(film.sample(60.0)) == len(film) == 100


def test_ranges(tmp_path: Path) -> None:
    with make(tmp_path / "a.vtkhdf", np.cumsum(np.full(31, 0.1)) - 0.1) as film:
        assert len(film.sample()) == 31
        assert len(film.sample(start=0.3, stop=3.0)) == 28  # 3.0000000000000013 and 0.30000000000000004 are meant
        np.testing.assert_allclose(film.sample(20.0, 1.0, 1.5), np.linspace(1, 1.5, 11))
        np.testing.assert_allclose(film.sample(24.0, 0.0, 1.01), np.arange(25) / 24)
        for start, stop in ((-0.1, 1.0), (0.0, 3.2), (2.0, 1.0)):
            with pytest.raises(RecordError, match="the run covers 0 to 3 s"):
                film.sample(None, start, stop)
        with pytest.raises(RecordError, match=r"found time 3\.5 s"):
            film.at(3.5)


def test_one_frame(tmp_path: Path) -> None:
    with make(tmp_path / "a.vtkhdf", np.array([0.0])) as film:
        assert film.sample(24.0).tolist() == film.sample().tolist() == [0.0]
        assert film.at(0.0).t == 0


def test_parts(tmp_path: Path) -> None:
    with make(tmp_path / "a.vtkhdf", np.array([0.0, 1.0])) as film:
        tet, flag = film.parts
        assert (tet.name, flag.name, film.up) == ("tet", "flag with pole", "z")
        assert (tet.span, flag.span) == ((0, 4), (4, 8))
        assert len(tet.faces) == 4
        assert tet.edges.size == 0
        assert flag.vertices.tolist() == [4, 5, 6, 7]
        assert flag.faces.tolist() == [[0, 1, 2]]
        assert flag.edges.tolist() == [[2, 3]]
        assert film.at(0.25).energy == pytest.approx(0.25)
