"""Pictures drawn by the workers of a Dask cluster: the same bits, in order, and refusals instead of other pictures."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from render_runs import record, shot_of

from supple.cli import main
from supple.errors import SuppleError
from supple.render.frames import draw_frames, in_order
from supple.render.gl import Drawing, probe
from supple.sweeps.farm import Farm, open_farm
from supple.sweeps.pictures.crew import AHEAD, BYTES, MOST, chunks, draw_on_farm, open_crew

TIMES = [0.025 * k for k in range(21)]
FEW = TIMES[::2]
"""Of several tasks for each of two workers."""


@pytest.fixture(scope="module")
def farm() -> Iterator[Farm]:
    with open_farm(2) as found:
        yield found


def render(*arguments: object, code: int = 0) -> None:
    with pytest.raises(SystemExit) as left:
        main(["render", *map(str, arguments)])
    assert int(left.value.code or 0) == code


@pytest.mark.parametrize("renderer", ["plain", pytest.param("vtk", marks=pytest.mark.study)], indirect=True)
def test_the_same_bits_in_order(farm, renderer, tmp_path):
    shot = shot_of(record(tmp_path / "run", move=1.0), record(tmp_path / "other"), size=(96, 64))
    drawing = probe() if renderer == "vtk" else Drawing(False)
    here = list(draw_frames(shot, FEW, renderer, drawing))
    there = list(draw_on_farm(farm, shot, FEW, renderer))
    np.testing.assert_array_equal(there, here)
    assert not np.array_equal(here[0], here[-1])


def test_numbered_pictures_by_the_command(farm, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    record(Path("run"), move=1.0)
    small = ("--renderer", "plain", "--size", "96x64", "--fps", 10)
    address = farm.client.scheduler.address
    render("run", "--to", "here.%02d.png", *small, "--workers", 1)
    render("run", "--to", "there.%02d.png", *small, "--scheduler", address, "--json")
    told = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (told["frames"], told["workers"]) == (6, 2)
    for k in range(1, 7):
        with Image.open(f"here.{k:02d}.png") as here, Image.open(f"there.{k:02d}.png") as there:
            np.testing.assert_array_equal(np.asarray(here), np.asarray(there))


def test_a_run_that_workers_do_not_see_is_refused(farm, tmp_path, monkeypatch, capsys):
    """What `/proc/self/cwd` means depends on the process: a path that is not shared."""
    monkeypatch.chdir(tmp_path)
    record(Path("run"))
    render(
        "/proc/self/cwd/run", "--to", "a.png", "--renderer", "plain", "--scheduler", farm.client.scheduler.address, code=2
    )  # fmt: skip
    said = " ".join(capsys.readouterr().err.split())
    assert "do not see /proc/self/cwd/run; put the run into a folder that all machines share" in said
    assert not Path("a.png").exists()


def test_another_run_at_the_same_path_is_refused(farm, tmp_path, monkeypatch):
    shot = shot_of(record(tmp_path / "run"))
    monkeypatch.setattr("supple.sweeps.pictures.crew.mark", lambda run: "another")
    with pytest.raises(SuppleError, match="do not see"):
        next(iter(draw_on_farm(farm, shot, TIMES, "plain")))


def test_workers_of_a_scheduler_are_not_counted_here(farm, tmp_path, capsys):
    record(tmp_path / "run")
    render(
        tmp_path / "run",
        "--to",
        tmp_path / "a.png",
        "--workers",
        2,
        "--scheduler",
        farm.client.scheduler.address,
        code=2,
    )
    assert "leave it out with --scheduler" in " ".join(capsys.readouterr().err.split())


def test_who_stops_early_leaves_nothing_on_the_workers(farm, tmp_path):
    shot = shot_of(record(tmp_path / "run"), size=(160, 90))
    with open_crew(shot, np.array(TIMES), "plain", Drawing(False), None, farm.client.scheduler.address) as crew:
        assert next(crew.pictures).shape == (90, 160, 3)
    assert crew.workers == 2

    def opened() -> int:
        from supple.sweeps.pictures import crew

        crew._thread().submit(int).result()  # earlier requests are done
        return len(crew._open)

    assert set(farm.client.run(opened).values()) == {0}


def test_ctrl_c_leaves_no_file_and_an_idle_cluster(farm, tmp_path):
    record(tmp_path / "run", 400)
    child = subprocess.Popen(
        [sys.executable, "-m", "supple", "render", "run", "--to", "film.mp4", "--renderer", "plain", "--fps", "100",
         "--size", "160x90", "--scheduler", farm.client.scheduler.address],
        cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    deadline = time.monotonic() + 60
    while not list(tmp_path.glob(".film.part.mp4")) and time.monotonic() < deadline and child.poll() is None:
        time.sleep(0.05)
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=60)
    assert child.returncode == 130, out + err
    assert "Traceback" not in err
    assert [file.name for file in tmp_path.iterdir()] == ["run"]
    while any(farm.client.processing().values()) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(farm.client.processing().values())


def test_tasks_are_small_and_all_workers_have_some():
    assert chunks(TIMES, 1000, 2) == [TIMES[k : k + 6] for k in range(0, 21, 6)]
    assert len(chunks(FEW, 1000, 2)) >= 4
    assert {len(some) for some in chunks(TIMES * 10, 1000, 2)} <= {MOST, 2}
    assert max(map(len, chunks(TIMES, BYTES // 2, 1))) == 2
    assert max(map(len, chunks(TIMES, 2 * BYTES, 1))) == 1
    assert list(chain(*chunks(TIMES, 1000, 3))) == TIMES


def test_a_bounded_window_of_tasks():
    under_way: list[int] = []
    most = 0

    class Ready:
        def __init__(self, k: int) -> None:
            under_way.append(k)
            self._k = k

        def result(self) -> int:
            nonlocal most
            most = max(most, len(under_way))
            under_way.remove(self._k)
            return self._k

    assert list(in_order(Ready, range(50), 2 * AHEAD)) == list(range(50))
    assert most == 2 * AHEAD


def test_a_worker_that_is_killed_does_not_end_the_film(farm, tmp_path):
    """The last test of this cluster."""
    shot = shot_of(record(tmp_path / "run", move=1.0), size=(160, 90))
    here = list(draw_frames(shot, TIMES, "plain", Drawing(False)))
    pictures = draw_on_farm(farm, shot, TIMES, "plain")
    there = [next(pictures)]
    os.kill(next(iter(farm.client.run(os.getpid).values())), signal.SIGKILL)
    there += list(pictures)
    np.testing.assert_array_equal(there, here)
    farm.client.wait_for_workers(2)
