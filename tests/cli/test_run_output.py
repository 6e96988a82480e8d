"""What `supple run` writes and prints: folders, JSON, frames, substeps, and runs that go on."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from command import BAR, assert_same_animation, assert_same_history, here, last_json, status, supple, write_scene

from supple.cli.output import MOST_NOTES
from supple.recording.history import read_history
from supple.recording.playback import open_animation

RUN_KEYS = {"status", "folder", "steps", "time", "total_start", "total_end", "residual", "relative_residual"}


def frames(folder: Path) -> tuple[np.ndarray, np.ndarray]:
    """Times and positions of all frames."""
    with open_animation(folder / "animation.vtkhdf") as animation:
        return np.array(animation.times), np.array([animation.points(k) for k in range(len(animation))])


def test_the_real_command_and_its_json(in_folder: Path) -> None:
    done = supple("run", "jelly", "--steps", 1, "--json", folder=in_folder)
    found = last_json(done.stdout)
    assert found.keys() >= RUN_KEYS
    assert (found["status"], found["folder"], found["steps"]) == ("finished", "runs/jelly", 1)
    assert len(done.stdout.splitlines()) == 1
    names = {"scene.toml", "history.csv", "animation.vtkhdf", "checkpoint", "energy.svg", "log.txt", "run.json"}
    assert names <= {file.name for file in (in_folder / "runs/jelly").iterdir()}


IMPORTED = """
import json, sys
from supple.cli import main
for words in (["run"], ["compare", "--integrators", "avf,verlet"]):
    try:
        main([words[0], "bar.toml", "--steps", "1", *words[1:]])
    except SystemExit as left:
        assert not left.code
    print(json.dumps(sorted(sys.modules)))
"""


def test_a_run_needs_no_matplotlib_and_a_comparison_in_one_process_no_cluster(in_folder: Path) -> None:
    write_scene(in_folder)
    done = subprocess.run([sys.executable, "-c", IMPORTED], capture_output=True, text=True, check=True, timeout=300)
    run, compare = (set(json.loads(line)) for line in done.stdout.splitlines() if line.startswith("["))
    assert {"supple.runs.run", "supple.render.plots.svg", "h5py"} <= run
    assert not {"matplotlib", "meshio", "vtk", "pytetwild"} & run
    assert "supple.sweeps.comparing.alone" in compare
    assert not {"distributed", "dask"} & compare


@pytest.mark.parametrize("words", [["scenes"], ["info"]])
def test_json_of_other_commands(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    here(*words, "--json")
    assert last_json(capsys.readouterr().out)


def test_json_of_mesh(in_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import meshio

    points = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], float)
    meshio.write(in_folder / "tet.vtk", meshio.Mesh(points, [("tetra", np.array([[0, 1, 2, 3]]))]))
    here("mesh", "tet.vtk", "--json")
    assert last_json(capsys.readouterr().out)["tets"] == 1


def test_default_folders(in_folder: Path) -> None:
    write_scene(in_folder)
    for _ in range(3):
        here("run", "bar.toml", "--steps", 1)
    assert sorted(p.name for p in (in_folder / "runs").iterdir()) == ["bar", "bar-2", "bar-3"]


def test_settings(in_folder: Path) -> None:
    write_scene(in_folder)
    here("run", "bar.toml", "--set", "integrator.name=bdf2", "--set", "time.step=0.005", "--steps", 3, "--out", "run")
    text = (in_folder / "run/scene.toml").read_text()
    assert 'name = "bdf2"' in text
    np.testing.assert_allclose(read_history(in_folder / "run/history.csv")["time"], [0, 0.005, 0.01, 0.015])


def test_the_resolved_scene_gives_the_same_run(in_folder: Path) -> None:
    write_scene(in_folder)
    here("run", "bar.toml", "--set", "integrator.name=newmark", "--steps", 8, "--out", "first")
    here("run", "first/scene.toml", "--out", "second")
    assert_same_history(in_folder / "first", in_folder / "second")
    assert_same_animation(in_folder / "first", in_folder / "second")
    assert (in_folder / "first/scene.toml").read_text() == (in_folder / "second/scene.toml").read_text()


def test_a_finished_run_goes_on_only_if_asked(in_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_scene(in_folder)
    here("run", "bar.toml", "--steps", 12, "--out", "whole")
    here("run", "bar.toml", "--steps", 5, "--out", "run")
    files = {file: file.stat().st_mtime_ns for file in (in_folder / "run").iterdir()}
    capsys.readouterr()
    here("run", "--resume", "run", "--json")
    captured = capsys.readouterr()
    assert "this run is already complete" in captured.err
    assert last_json(captured.out)["steps"] == 5
    assert {file: file.stat().st_mtime_ns for file in (in_folder / "run").iterdir()} == files
    here("run", "--resume", "run", "--steps", 4, code=2)
    assert "--steps 4: the run in run has already taken 5 steps" in capsys.readouterr().err
    assert status(in_folder / "run") == "finished"
    here("run", "--resume", "run", "--steps", 12)
    assert_same_history(in_folder / "whole", in_folder / "run")
    assert_same_animation(in_folder / "whole", in_folder / "run")


def test_a_changed_scene_is_not_continued(in_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_scene(in_folder)
    here("run", "bar.toml", "--steps", 2, "--out", "run")
    file = in_folder / "run/scene.toml"
    text = file.read_text()
    file.write_text(text.replace("density = 500.0", "density = 600.0"))
    here("run", "--resume", "run", "--steps", 4, code=2)
    assert "scene.toml does not match the checkpoint" in capsys.readouterr().err
    file.write_text(text)
    here("run", "--resume", "run", "--steps", 4)


def test_a_changed_mesh_is_not_continued(in_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import meshio

    points = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], float)
    cells = [("tetra", np.array([[0, 1, 2, 3]]))]
    meshio.write(in_folder / "tet.vtk", meshio.Mesh(points, cells))
    text = BAR.replace('{ shape = "bar", cells = [4, 1, 1], size = [1.0, 0.25, 0.25] }', '{ file = "tet.vtk" }')
    write_scene(in_folder, text.replace('pin = "left"', ""))
    here("run", "bar.toml", "--steps", 2, "--out", "run")
    meshio.write(in_folder / "tet.vtk", meshio.Mesh(2 * points, cells))
    here("run", "--resume", "run", "--steps", 4, code=2)
    assert "run: the mesh does not match the checkpoint" in capsys.readouterr().err


def test_every_nth_step(in_folder: Path) -> None:
    write_scene(in_folder)
    here("run", "bar.toml", "--steps", 10, "--out", "all")
    here("run", "bar.toml", "--steps", 10, "--set", "record.every=3", "--out", "third")
    assert_same_history(in_folder / "all", in_folder / "third")
    (times, points), (some_times, some) = frames(in_folder / "all"), frames(in_folder / "third")
    np.testing.assert_array_equal(times[::3], some_times)
    np.testing.assert_array_equal(points[::3], some)


def test_frames_per_second_are_exact_and_smooth(in_folder: Path) -> None:
    """24 fps from steps of 1/100 s, against a run with steps of 1/1200 s that has all those moments."""
    write_scene(in_folder)
    arguments = ["run", "bar.toml", "--set", "time.duration=0.25", "--set", "record.fps=24"]
    here(*arguments, "--set", "time.step=0.01", "--out", "coarse")
    here(*arguments, "--set", "time.step=1/1200", "--out", "fine")
    (times, points), (fine_times, fine) = frames(in_folder / "coarse"), frames(in_folder / "fine")
    np.testing.assert_array_equal(times, np.arange(7) / 24)
    np.testing.assert_array_equal(fine_times, times)
    moved = np.abs(fine - fine[0]).max()
    # the time error of the coarse steps, no more: linear interpolation in frames would show as jerks
    assert np.abs(points - fine).max() < 0.02 * moved


def test_many_notes_are_left_to_the_log(in_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_scene(in_folder, BAR + "initial = { stretch = [1.6, 0.7, 0.7] }\n")
    options = ["--set", "time.step=0.1", "--set", "solver.max_iterations=2", "--set", "solver.max_work=1000000"]
    here("run", "bar.toml", "--steps", 40, *options, "--out", "run")
    printed = [line for line in capsys.readouterr().out.splitlines() if line.startswith("t = ")]
    logged = [line for line in (in_folder / "run/log.txt").read_text().splitlines() if " t = " in f" {line}"]
    assert len(printed) == MOST_NOTES < len(logged)


def test_a_step_taken_in_pieces_has_rows_of_its_own(in_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_scene(in_folder, BAR + "initial = { stretch = [1.6, 0.7, 0.7] }\n")
    here("run", "bar.toml", "--steps", 6, "--set", "time.step=0.1", "--set", "solver.max_iterations=5", "--out", "run")
    assert "taken in steps of 0.05 s" in capsys.readouterr().out
    assert "taken in steps of 0.05 s" in (in_folder / "run/log.txt").read_text()
    history = read_history(in_folder / "run/history.csv")
    assert len(history["step"]) > 7
    np.testing.assert_array_equal(history["step"], np.arange(len(history["step"])))
    np.testing.assert_allclose(np.cumsum(history["h"]), history["time"], rtol=1e-12)
    assert history["time"][-1] == pytest.approx(0.6, rel=1e-12)
    assert set(np.round(history["h"][1:] / 0.1, 9)) <= {0.5**k for k in range(8)}
    times, _ = frames(in_folder / "run")
    np.testing.assert_allclose(times, np.arange(7) * 0.1, rtol=1e-12)
