"""Properties of every format: files appear whole or not at all, nothing is lost by accident, choices are honoured."""

from pathlib import Path

import numpy as np
import pytest
from moving import FPS, FRAMES, bodies, film, motion, record, write

from supple.errors import BackendMissing, RecordError, SuppleError
from supple.export import FORMATS
from supple.export.axes import Turn
from supple.export.export import Choice, find_format, prepare
from supple.export.lines import polylines
from supple.mesh.mesh import join
from supple.recording.film import open_film

NAMES = sorted(FORMATS.load())
CHANGING = [name for name in NAMES if find_format(name).colours]


def test_all_formats_are_there() -> None:
    assert set(NAMES) >= {"usd", "abc", "pc2", "mdd", "glb", "vtkhdf", "pvd", "obj", "npz"}


def test_the_documentation_knows_every_format() -> None:
    page = (Path(__file__).parents[2] / "docs" / "guide" / "export.md").read_text(encoding="utf-8")
    assert [name for name in NAMES if f"| `{name}` |" not in page] == []


@pytest.mark.parametrize("to", NAMES)
def test_an_export_is_not_replaced_unless_asked(to: str, tmp_path: Path) -> None:
    with film(tmp_path / "run") as source:
        first = write(source, to, tmp_path / "out" / "made")
        assert all(path.exists() for path in first.paths)
        with pytest.raises(RecordError, match=r"already exists.*--overwrite"):
            write(source, to, tmp_path / "out" / "made")
        again = write(source, to, tmp_path / "out" / "made", overwrite=True, stop=0.25)
        assert len(again.sequence) == 7
    assert sorted(tmp_path.glob("out/*")) == sorted(first.paths)  # nothing is left over


@pytest.mark.parametrize("to", NAMES)
def test_a_failed_export_leaves_nothing(to: str, tmp_path: Path) -> None:
    with film(tmp_path / "run", burst=5) as source:
        with pytest.raises(RecordError, match=r"not finite.*--stop"):
            write(source, to, tmp_path / "out" / "made")
        assert not list((tmp_path / "out").iterdir())
        assert len(write(source, to, tmp_path / "out" / "made", stop=4 / FPS).sequence) == 5


@pytest.mark.parametrize("to", NAMES)
def test_one_body_one_frame(to: str, tmp_path: Path) -> None:
    with film(tmp_path / "run") as source:
        for body in bodies():
            done = write(source, to, tmp_path / body, body=body, start=0.125, stop=0.125)
            assert [b.name for b in done.sequence.bodies] == [body]
            assert len(done.sequence) == 1


@pytest.mark.parametrize("to", [name for name in NAMES if find_format(name).suffixes])
def test_the_ending_must_fit(to: str, tmp_path: Path) -> None:
    with film(tmp_path / "run") as source, pytest.raises(RecordError, match=r"ends in .*found '\.txt'"):
        write(source, to, tmp_path / "made.txt")


def test_foreign_files_stay(tmp_path: Path) -> None:
    (tmp_path / "made").mkdir()
    (tmp_path / "made" / "thesis.tex").write_text("years of work")
    with film(tmp_path / "run") as source, pytest.raises(RecordError, match=r"thesis\.tex.*will not touch"):
        write(source, "obj", tmp_path / "made", overwrite=True)
    assert (tmp_path / "made" / "thesis.tex").exists()


def test_a_folder_in_the_way_is_no_target_for_a_file(tmp_path: Path) -> None:
    (tmp_path / "made.glb").mkdir()
    with film(tmp_path / "run") as source, pytest.raises(RecordError, match="is a folder"):
        write(source, "glb", tmp_path / "made.glb", overwrite=True)


@pytest.mark.parametrize(
    ("choice", "words"),
    [
        ({"fps": 0.0}, "--fps"),
        ({"fps": -3.0}, "--fps"),
        ({"scale": 0.0}, "--scale"),
        ({"body": "baar"}, "did you mean 'bar'"),
        ({"start": 0.3, "stop": 0.1}, "s, but the run covers"),
        ({"stop": 9.0}, "s, but the run covers"),
        ({"start": 0.30, "stop": 0.31}, "resample with --fps"),
    ],
)
def test_bad_choices_are_explained(choice: dict[str, float], words: str, tmp_path: Path) -> None:
    with film(tmp_path / "run") as source, pytest.raises(SuppleError, match=words):
        write(source, "npz", tmp_path / "made", **choice)


def test_an_unknown_format_is_explained() -> None:
    with pytest.raises(SuppleError, match=r"unknown format 'uds'; did you mean 'usd'\? known: abc, glb"):
        find_format("uds")


@pytest.mark.parametrize(("to", "module"), [("usd", "pxr"), ("abc", "alembic3d")])
def test_a_missing_library_is_named(to: str, module: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    for name in [m for m in sys.modules if m.split(".")[0] == module]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, module, None)
    with film(tmp_path / "run") as source, pytest.raises(BackendMissing, match=r'pip install "supple\['):
        write(source, to, tmp_path / "made")


@pytest.mark.parametrize("up", ["x", "y", "z"])
@pytest.mark.parametrize("to", NAMES)
def test_up_stays_up(to: str, up: str, tmp_path: Path) -> None:
    """Right-handed turns only, and they are reported."""
    with film(tmp_path / "run", up) as source:
        sequence, notes = prepare(source, find_format(to), Choice())
        assert sequence.up in find_format(to).ups
        assert (sequence.up != up) == any("up" in note for note in notes)
        axes = np.eye(3, dtype=np.float32)
        turned = sequence.turn(axes)
        np.testing.assert_array_equal(turned["xyz".index(up)], axes["xyz".index(sequence.up)])
        assert np.linalg.det(turned) == 1


def test_turning_there_and_back() -> None:
    x = np.random.default_rng(0).random((4, 3)).astype(np.float32)
    np.testing.assert_array_equal(Turn.to("y", "z")(Turn.to("z", "y")(x)), x)


@pytest.mark.parametrize("to", [name for name in NAMES if find_format(name).even])
def test_uneven_recordings_are_resampled_where_needed(to: str, tmp_path: Path) -> None:
    times = np.array([0, 0.1, 0.2, 0.25, 0.3, 0.4, 0.5])
    with open_film(record(tmp_path / "run", bodies(), times)) as source:
        sequence, notes = prepare(source, find_format(to), Choice())
        np.testing.assert_allclose(np.diff(sequence.times), 0.1)
        assert sequence.fps == 10
        assert "not evenly spaced" in notes[0]
        kept, _ = prepare(source, find_format("npz"), Choice())
        np.testing.assert_array_equal(kept.times, times)


def test_resampling_scaling_and_numbering(tmp_path: Path) -> None:
    with film(tmp_path / "run") as source:
        done = write(source, "npz", tmp_path / "made", fps=100.0, start=0.1, stop=0.3, scale=100.0, body="bar")
    arrays = np.load(done.paths[0])
    assert arrays["bar.positions"].shape[0] == len(arrays["times"]) == 21
    X = join(bodies()).vertices[: bodies()["bar"].n]
    for t, x, v in zip(arrays["times"], arrays["bar.positions"], arrays["bar.velocities"], strict=True):
        exact_x, exact_v = motion(X, t)
        np.testing.assert_allclose(x, 100 * exact_x, atol=2e-5)
        np.testing.assert_allclose(v, 100 * exact_v, atol=1e-2)


@pytest.mark.parametrize("to", NAMES)
def test_changing_colours_are_honoured_or_declined(to: str, tmp_path: Path) -> None:
    with film(tmp_path / "run") as source:
        done = write(source, to, tmp_path / "made", energy_colours=True)
        assert done.sequence.energy_colours == (to in CHANGING)
        assert bool(done.notes) == (to not in CHANGING)
        assert len(done.sequence) == FRAMES


def test_edges_are_strung_together() -> None:
    assert [line.tolist() for line in polylines(np.array([[0, 1], [2, 1], [2, 3]], dtype=np.int32))] == [[0, 1, 2, 3]]
    [loop] = polylines(np.array([[0, 1], [1, 2], [2, 0]], dtype=np.int32))
    assert loop.tolist() in ([0, 1, 2, 0], [0, 2, 1, 0])
    star = polylines(np.array([[0, 1], [0, 2], [0, 3]], dtype=np.int32))
    assert sorted(len(line) for line in star) == [2, 2, 2]
