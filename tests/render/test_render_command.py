"""`supple render`: films and pictures as files, output, refusals, and the state after Ctrl-C."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import imageio.v3 as iio
import imageio_ffmpeg
import numpy as np
import pytest
from PIL import Image
from render_runs import record, shot_of

from supple.cli import main
from supple.errors import SuppleError
from supple.render.frames import draw_frames
from supple.render.gl import Drawing
from supple.render.shot import Shot
from supple.render.video import check_target, even_size, open_video, played_fps
from supple.runs.results import Run


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return record(Path("run"), 6)


def supple(*arguments: object, code: int = 0) -> None:
    with pytest.raises(SystemExit) as left:
        main(["render", *map(str, arguments)])
    assert int(left.value.code or 0) == code


def files(folder: str = ".") -> list[str]:
    return sorted(p.name for p in Path(folder).iterdir() if p.is_file())


SMALL = ("--renderer", "plain", "--size", "160x90", "--workers", 1)


def test_mp4(run, capsys):
    supple(run, "--to", "film.mp4", *SMALL, "--fps", 20, "--json")
    told = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (told["frames"], told["size"], told["renderer"]) == (11, [160, 90], "plain")
    frames = iio.imread("film.mp4", plugin="FFMPEG")
    assert frames.shape == (11, 90, 160, 3)
    assert np.ptp(frames[5]) > 100
    reader = imageio_ffmpeg.read_frames("film.mp4")
    facts = next(reader)
    reader.close()
    assert facts["pix_fmt"].startswith("yuv420p")
    assert facts["codec"] == "h264"
    assert facts["fps"] == 20
    assert files() == ["film.mp4"]


def test_odd_sizes_are_made_even_and_said(run, capsys):
    supple(run, "--to", "film.mp4", "--size", "161x91", "--fps", 4, "--renderer", "plain")
    assert "160x90" in capsys.readouterr().out
    assert iio.imread("film.mp4", plugin="FFMPEG").shape[1:3] == (90, 160)
    assert even_size(64, 65) == (64, 64)


def test_gif(run):
    supple(run, "--to", "film.gif", *SMALL, "--fps", 10, "--start", 0.1, "--stop", 0.4)
    with Image.open("film.gif") as film:
        assert film.n_frames == 4
        assert film.size == (160, 90)
        assert film.info["duration"] == 100
        assert film.info["loop"] == 0
        shown = []
        for k in range(4):
            film.seek(k)
            shown.append(np.asarray(film.convert("RGB")).astype(int))
    for k, t in enumerate((0.1, 0.2, 0.3, 0.4)):
        drawn = next(iter(draw_frames(_same_shot(run), [t], "plain", Drawing(False)))).astype(int)
        assert np.abs(shown[k] - drawn).mean() < 4  # 255 colours, and pixels that stay are not written


def _same_shot(run: Path, start: float | None = 0.1, stop: float | None = 0.4):
    from supple.recording.film import open_film
    from supple.recording.folder import RunFolder
    from supple.render.camera import CAMERAS
    from supple.render.shot import film_times, make_shot

    with open_film(RunFolder.open(run)) as film:
        return make_shot([run], [film], film_times([film], 10, start, stop), (160, 90), CAMERAS["iso"], "energy")


def test_gifs_count_hundredths():
    assert played_fps(".gif", 30) == pytest.approx(100 / 3)
    assert played_fps(".gif", 200) == 50
    assert played_fps(".mp4", 30) == 30


def test_png_of_any_time_has_the_scale_of_the_whole_run(run, capsys):
    tops = []
    for t in (0.05, 0.5 + 1e-12):  # the end, but for rounding error
        supple(run, "--to", "picture.png", *SMALL, "--time", t, "--overwrite", "--json")
        tops.append(json.loads(capsys.readouterr().out.splitlines()[-1])["colour_top"])
    assert tops[0] == tops[1]
    assert Image.open("picture.png").size == (160, 90)


def test_slow_motion_has_more_pictures_and_says_so(run, capsys):
    supple(run, "--to", "film.gif", *SMALL, "--fps", 10, "--slow", 4, "--stop", 0.2, "--json")
    said = capsys.readouterr()
    told = json.loads(said.out.splitlines()[-1])
    assert (told["frames"], told["fps"], told["slow"]) == (9, 10, 4)
    assert "10 frames per second of motion, the film shows 40" in " ".join((said.out + said.err).split())
    with Image.open("film.gif") as film:
        assert (film.n_frames, film.info["duration"]) == (9, 100)


def test_numbered_pictures(run, capsys):
    supple(run, "--to", "frame.%03d.png", *SMALL, "--fps", 10)
    names = [f"frame.{k:03d}.png" for k in range(1, 7)]
    assert files() == names
    with Image.open(names[-1]) as last:
        shown = np.asarray(last)
    wanted = next(iter(draw_frames(_same_shot(run, None, None), [0.5], "plain", Drawing(False))))
    np.testing.assert_array_equal(shown, wanted)
    supple(run, "--to", "frame.%03d.png", *SMALL, "--fps", 10, code=2)
    assert "frame.001.png already exists" in " ".join(capsys.readouterr().err.split())
    Path("frame.7.png").write_bytes(b"not of the sequence")
    supple(run, "--to", "frame.%03d.png", *SMALL, "--fps", 10, "--stop", 0.2, "--overwrite")
    assert files() == [*names[:3], "frame.7.png"]


def test_a_scale_that_is_given(run, capsys):
    for given in (3.0, 30.0):
        supple(run, "--to", "a.png", *SMALL, "--colour-top", given, "--overwrite", "--json")
        assert json.loads(capsys.readouterr().out.splitlines()[-1])["colour_top"] == given


def test_runs_beside_each_other(run, tmp_path, capsys):
    short = record(Path("short"), 3, method="bdf2")
    supple(run, "--with", short, "--to", "both.png", *SMALL, "--label", "one", "--label", "two")
    assert "its last frame stays" in capsys.readouterr().out
    assert Image.open("both.png").size == (160, 90)


def test_several_processes_draw_the_same(run):
    shot = shot_of(run, size=(160, 90))
    times = [0.0, 0.1, 0.2, 0.3, 0.4]
    one, two = (list(draw_frames(shot, times, "plain", Drawing(False), workers)) for workers in (1, 2))
    np.testing.assert_array_equal(one, two)
    assert not np.array_equal(one[0], one[4])


def test_films_of_notebooks_by_several_processes(run, monkeypatch):
    """The number of processes reaches those who draw, whose pictures are the same by any number."""
    asked = []

    def alone(shot: Shot, times: Sequence[float], renderer: str, drawing: Drawing, workers: int = 1) -> object:
        asked.append(workers)
        return draw_frames(shot, times, renderer, drawing)

    monkeypatch.setattr("supple.render.frames.draw_frames", alone)
    for workers in (1, 2):
        Run(run).film(10, size=(160, 90), renderer="plain", workers=workers)
    assert asked == [1, 2]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--to", "film.mkv"], ".mp4, .gif, .png"),
        (["--to", "film"], "no suffix"),
        (["--to", "film.pgn"], "did you mean '.png'"),
        (["--to", "nowhere/film.gif"], "does not exist; create it first"),
        (["--to", "there.png"], "--overwrite"),
        (["--to", "a.png", "--time", "9"], "0 to 0.5 s"),
        (["--to", "a.gif", "--stop", "9"], "0 to 0.5 s"),
        (["--to", "a.gif", "--start", "0.4", "--stop", "0.1"], "0.4 to 0.1 s"),
        (["--to", "a.gif", "--time", "0.1"], "--start to --stop"),
        (["--to", "a.png", "--fps", "5"], "one --time"),
        (["--to", "a.gif", "--fps", "0"], "above 0"),
        (["--to", "a.png", "--size", "960"], "960x540"),
        (["--to", "a.png", "--camera", "forward"], "front"),
        (["--to", "a.png", "--colour", "enrgy"], "did you mean 'energy'"),
        (["--to", "a.png", "--renderer", "gl"], "auto, vtk, plain"),
        (["--to", "a.png", "--slow", "5"], "one --time"),
        (["--to", "a.gif", "--slow", "0"], "--slow: found 0"),
        (["--to", "a.png", "--colour-top", "-1"], "--colour-top: found -1"),
        (["--to", "a.png", "--colour-top", "1", "--colour", "none"], "has no scale"),
        (["--to", "a.%04d.gif"], "frames.%04d.png"),
        (["--to", "a.%04d.%d.png"], "frames.%04d.png"),
        (["--to", "a.%s.png"], "frames.%04d.png"),
        (["--to", "nowhere/%d.png"], "does not exist; create it first"),
        (["--to", "a.png", "--label", "x", "--label", "y"], "2 for 1 runs"),
        (["--to", "a.png", "--with", "nothing"], "not the folder of a run"),
    ],
)
def test_refusals(run, capsys, arguments, said):
    Path("there.png").write_bytes(b"precious")
    supple(run, *arguments, code=2)
    assert said in capsys.readouterr().err
    assert files() == ["there.png"]
    assert Path("there.png").read_bytes() == b"precious"


def test_mp4_without_its_library(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    with pytest.raises(SuppleError, match=r"pip install 'supple\[render\]'"):
        check_target(tmp_path / "film.mp4")


@pytest.mark.parametrize("name", ["film.mp4", "film.gif", "film.png", "film.%d.png"])
def test_an_error_on_the_way_leaves_the_old_file(tmp_path, name):
    file, old = tmp_path / name, tmp_path / name.replace("%d", "1")
    old.write_bytes(b"old")
    pictures = iter([np.zeros((64, 64, 3), dtype=np.uint8)])

    def fill() -> None:
        with open_video(file, 10) as add:
            while True:
                add(next(pictures))

    with pytest.raises(StopIteration):
        fill()
    assert files(str(tmp_path)) == [old.name]
    assert old.read_bytes() == b"old"


@pytest.mark.study
@pytest.mark.parametrize("workers", [1, 2])
def test_ctrl_c_leaves_no_file_and_no_process(tmp_path, workers):
    record(tmp_path / "run", 400)
    child = subprocess.Popen(
        [sys.executable, "-m", "supple", "render", "run", "--to", "film.mp4", "--renderer", "plain",
         "--workers", str(workers), "--fps", "100"],
        cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    deadline = time.monotonic() + 60
    while not list(tmp_path.glob(".film.part.mp4")) and time.monotonic() < deadline and child.poll() is None:
        time.sleep(0.05)
    os.killpg(child.pid, signal.SIGINT)  # as a terminal does: to all
    out, err = child.communicate(timeout=60)
    assert child.returncode == 130, out + err
    assert "Traceback" not in err
    assert files(str(tmp_path)) == []
    assert _gone(child.pid)


def _gone(group: int) -> bool:
    """Whether all processes of a group end soon."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False


@pytest.mark.parametrize("kept", [0, 100, -1])
def test_a_film_that_ffmpeg_could_not_complete_is_no_film(
    kept: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its exit code is not reported: on a full disk, half a film took the place of the old one."""
    to = tmp_path / "film.mp4"
    to.write_bytes(b"old")
    begun = imageio_ffmpeg.write_frames

    def cut(path: str, *args: object, **options: object) -> Iterator[None]:
        writer = begun(path, *args, **options)
        writer.send(None)
        try:
            while True:
                writer.send((yield))
        finally:
            writer.close()
            whole = Path(path).read_bytes()
            Path(path).write_bytes(whole[:kept])

    monkeypatch.setattr(imageio_ffmpeg, "write_frames", cut)
    with (
        pytest.raises(SuppleError, match=r"film\.mp4: cannot write: ffmpeg could not complete it"),
        open_video(to, 10) as add,
    ):
        add(np.zeros((32, 32, 3), dtype=np.uint8))
    assert to.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [to]


@pytest.mark.parametrize("name", ["pipe:1.mp4", "concat:a|b.mp4", "-y.mp4", "a:b/film.mp4"])
def test_names_of_films_are_no_words_of_ffmpeg(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes the word before a colon for a protocol: the film was lost, with an error that named no reason."""
    monkeypatch.chdir(tmp_path)
    Path(name).parent.mkdir(exist_ok=True)
    with open_video(Path(name), 30.0) as add:
        add(np.zeros((64, 64, 3), dtype=np.uint8))
    assert Path(name).stat().st_size > 100
    assert [path.name for path in tmp_path.rglob("*.mp4")] == [Path(name).name]
