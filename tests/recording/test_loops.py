"""`supple loop`: recurrences, cross-fades without a jump, folders that can be shown and exported, refusals."""

import json
from pathlib import Path

import numpy as np
import pytest

from supple.cli import main
from supple.errors import SuppleError
from supple.mesh.mesh import Mesh
from supple.mesh.shapes.thin import Cloth
from supple.recording.animation import AnimationWriter
from supple.recording.cells import Cells
from supple.recording.film import body_ranges, open_film
from supple.recording.folder import RunFolder
from supple.recording.playback import open_animation
from supple.render.shot import film_times
from supple.runs.loops.loop import Wish, make_loop
from supple.runs.loops.piece import blended, make_piece, moment_at
from supple.runs.loops.recurrence import NEAR, features, find_recurrence, gaps
from supple.runs.results import Run

STEP = 1 / 60
PERIOD = 0.7123
"""Of the swing, which is no multiple of a frame [s]."""


def swing(mesh: Mesh, t: float, decay: float = 0.0, drift: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """A sheet that waves in its third coordinate, perhaps less and less, and drifts along its first."""
    w = 2 * np.pi / PERIOD
    phase = 2.0 * mesh.vertices[:, 0]
    size = np.exp(-decay * t)
    x, v = mesh.vertices.copy(), np.zeros_like(mesh.vertices)
    x[:, 2] += 0.1 * size * np.sin(w * t + phase)
    v[:, 2] = 0.1 * size * (w * np.cos(w * t + phase) - decay * np.sin(w * t + phase))
    x[:, 0] += drift * t
    v[:, 0] += drift
    return x, v


def recorded(folder: Path, seconds: float = 3.0, **motion: float) -> Path:
    mesh = Cloth(cells=(4, 4), size=(1.0, 1.0)).mesh()
    run = RunFolder.create(folder)
    metadata = {"up": "z", "scene": "swing", "integrator": "avf", "bodies": body_ranges([("sheet", mesh.n)])}
    frames = round(seconds / STEP) + 1
    writer = AnimationWriter.create(run.animation, Cells.of(mesh), mesh.n, frames, metadata)
    for k in range(frames):
        x, v = swing(mesh, k * STEP, **motion)
        writer.record(k * STEP, x, v, np.abs(v[:, 2]))
    writer.close()
    run.close()
    return folder


@pytest.fixture(scope="module")
def waning(tmp_path_factory):
    """A swing that wanes and drifts."""
    return recorded(tmp_path_factory.mktemp("waning") / "run", decay=0.4, drift=0.02)


@pytest.fixture(scope="module")
def two(tmp_path_factory):
    """A folder with a run of two seconds, and a short one."""
    folder = tmp_path_factory.mktemp("two")
    recorded(folder / "run", 2.0)
    recorded(folder / "there", 0.1)
    return folder


def test_a_periodic_run_finds_its_period(tmp_path):
    found = make_loop(recorded(tmp_path / "run"), tmp_path / "loop", Wish())
    assert found.recurs
    assert found.piece.period == pytest.approx(PERIOD, abs=0.02 * STEP)
    assert found.frames == round(PERIOD / STEP)
    assert found.seam < 2e-4
    longer = make_loop(tmp_path / "run", tmp_path / "longer", Wish(shortest=1.0))
    assert longer.piece.period == pytest.approx(2 * PERIOD, abs=0.02 * STEP)


@pytest.mark.parametrize(
    "wish", [Wish(), Wish(blend_only=True), Wish(window=0.2, longest=0.6), Wish(start=0.5, stop=2.5)]
)
def test_the_seam_is_closed_with_its_velocities(waning, tmp_path, wish):
    made = make_loop(waning, tmp_path / "loop", wish)
    with open_animation(tmp_path / "loop" / "animation.vtkhdf") as loop:
        x = np.stack([loop.points(k) for k in range(len(loop))]).astype(float)
        v = np.stack([loop.velocities(k) for k in range(len(loop))]).astype(float)
        assert len(loop) == made.frames + 1
        np.testing.assert_allclose(np.diff(loop.times), STEP, rtol=1e-9)
    np.testing.assert_allclose(x[0], x[-1], atol=1e-6)
    np.testing.assert_allclose(v[0], v[-1], atol=1e-6)
    # around the seam as anywhere else: velocities are those of the positions, and do not jump
    again = np.concatenate([x[:-1], x[:-1]])
    by_difference = (again[2:] - again[:-2]) / (2 * STEP)
    speeds = np.concatenate([v[:-1], v[:-1]])[1:-1]
    scale = np.abs(v).max()
    assert np.abs(by_difference - speeds).max() < 0.05 * scale
    jumps = np.abs(np.diff(speeds, axis=0)).max(axis=(1, 2))
    seam = slice(made.frames - 3, made.frames + 1)
    assert jumps[seam].max() <= 1.2 * np.delete(jumps, np.arange(len(jumps))[seam]).max()
    assert made.closed <= 1e-6
    assert made.seam > 1e-3


def test_a_cross_fade_is_smooth_where_it_begins_and_ends(tmp_path):
    with open_animation(recorded(tmp_path / "run", decay=0.8) / "animation.vtkhdf") as animation:
        for begin, end in ((1.0, 2.6), (0.1, 1.9)):
            piece = make_piece(begin, end, 0.5, animation.times)
            assert piece.early == (begin < 0.5)
            at = np.array([0.0, piece.window if piece.early else piece.period - piece.window, piece.period])
            for s in at[1:2]:
                before, after = (blended(animation, piece, float(s) + d) for d in (-1e-4, 1e-4))
                np.testing.assert_allclose(before.v, after.v, atol=0.02)
            ends = [blended(animation, piece, float(s)) for s in (0.0, piece.period)]
            np.testing.assert_allclose(ends[0].x, ends[1].x, atol=1e-6)
            np.testing.assert_allclose(ends[0].v, ends[1].v, atol=1e-5)
            middle = 0.5 * (piece.window + piece.period) if piece.early else 0.4 * (piece.period - piece.window)
            np.testing.assert_array_equal(
                blended(animation, piece, middle).x, moment_at(animation, piece.begin + middle).x
            )


def test_gaps_are_those_of_their_formula():
    rng = np.random.default_rng(0)
    z = rng.normal(size=(9, 4))
    gap, motion = gaps(z)
    piece = z[2:7]
    var = float(np.mean(np.sum((piece - piece.mean(axis=0)) ** 2, axis=1)))
    assert motion[2, 7] == pytest.approx(var)
    assert gap[2, 7] == pytest.approx(np.linalg.norm(z[2] - z[7]) / np.sqrt(2 * var))


def test_rest_is_no_recurrence():
    t = np.arange(120) * STEP
    x = np.where(t < 1.0, np.sin(2 * np.pi * t / 0.5), 0.0)[:, None, None] * np.ones((1, 3, 3))
    v = np.where(t < 1.0, np.cos(2 * np.pi * t / 0.5) * 4 * np.pi, 0.0)[:, None, None] * np.ones((1, 3, 3))
    found = find_recurrence(features(x, v), t, 0.3, 1.5, 0.1)
    assert found is not None
    assert t[found.j] - t[found.i] == pytest.approx(0.5, abs=STEP)
    assert found.gap < NEAR
    assert find_recurrence(features(0 * x, 0 * v), t, 0.3, 1.5, 0.1) is None


def test_a_run_that_never_comes_back_is_cross_faded(tmp_path):
    made = make_loop(recorded(tmp_path / "run", decay=1.5, drift=2.0), tmp_path / "loop", Wish())
    assert not made.recurs
    assert made.gap is not None
    assert made.piece.window == pytest.approx(0.75)


def test_a_loop_is_shown_and_exported_once_per_turn(tmp_path):
    loop = Run(recorded(tmp_path / "run")).loop(tmp_path / "loop")
    frames = len(loop.times) - 1
    with open_film(RunFolder.open(loop.path)) as film:
        assert film.loops
        times = film.sample()
        assert len(times) == frames
        assert len(film.sample(24)) == len(film_times([film], 24)) == round(24 * (film.times[-1] - film.times[0]))
        assert film.sample(24)[-1] < film.times[-1]


def command(*words: object, code: int = 0) -> None:
    with pytest.raises(SystemExit) as left:
        main(["loop", *map(str, words)])
    assert int(left.value.code or 0) == code


def test_the_command_writes_folders_films_and_files(tmp_path, monkeypatch, capsys):
    from PIL import Image

    monkeypatch.chdir(tmp_path)
    run = recorded(Path("run"), 2.0)
    (run / "scene.toml").write_text('[[obstacle]]\nname = "floor"\nshape = "half-space"\npoint = [0.0, 0.0, -1.0]\n')
    (run / "own.usdc").write_bytes(b"an export")
    command(run, "--to", "loop", "--json")
    told = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert told["recurs"]
    assert told["seam_after"][0] <= 1e-6
    assert sorted(p.name for p in Path("loop").iterdir() if not p.name.startswith(".")) == [
        "animation.vtkhdf", "log.txt", "run.json", "scene.toml",
    ]  # fmt: skip
    command(run, "--to", "loop.gif", "--size", "96x64", "--fps", 20, "--renderer", "plain", "--look", "clay")
    with Image.open("loop.gif") as film:
        assert film.n_frames == round(20 * told["frames"] * STEP)
    command(run, "--to", "loop.npz")
    with np.load("loop.npz") as arrays:
        assert len(arrays["times"]) == told["frames"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--to", "there"], "already contains a run"),
        (["--to", "run"], "already contains a run"),
        (["--to", "run", "--overwrite"], "is the run itself"),
        (["--to", "a.mkv"], "unknown suffix '.mkv'"),
        (["--to", "a.png"], "one picture is not a loop"),
        (["--to", "a", "--shortest", "9"], "less than the 2 s"),
        (["--to", "a", "--shortest", "1.5", "--longest", "1"], "is an empty range"),
        (["--to", "a", "--shortest", "1.5", "--window", "1"], "run longer"),
        (["--to", "a", "--start", "1.95"], "frames lie between"),
        (["--to", "a", "--stop", "5"], "the run covers 0 to 2 s"),
        (["--to", "a", "--look", "clay"], "supple render a"),
        (["--to", "a.npz", "--look", "clay"], "apply to films"),
    ],
)
def test_refusals(two, monkeypatch, capsys, words, said):
    monkeypatch.chdir(two)
    command("run", *words, code=2)
    assert said in " ".join(capsys.readouterr().err.split())
    assert sorted(p.name for p in two.iterdir()) == ["run", "there"]


def test_a_run_that_stands_still(tmp_path):
    mesh = Cloth(cells=(2, 2), size=(1.0, 1.0)).mesh()
    run = RunFolder.create(tmp_path / "run")
    writer = AnimationWriter.create(run.animation, Cells.of(mesh), mesh.n, 20, {"up": "y"})
    for k in range(20):
        writer.record(k * STEP, mesh.vertices, 0 * mesh.vertices, np.zeros(mesh.n))
    writer.close()
    run.close()
    with pytest.raises(SuppleError, match="contains no motion for"):
        make_loop(tmp_path / "run", tmp_path / "loop", Wish())
    assert not (tmp_path / "loop").exists()
