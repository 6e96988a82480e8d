"""Film time and simulated time: integrals of the speed, frames of films in slow motion, and unaffected quantities."""

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import supple as sp
from supple.errors import SuppleError
from supple.formulas.curves import Curve
from supple.recording.clock import FilmClock
from supple.recording.film import open_film
from supple.recording.folder import RunFolder
from supple.recording.history import read_history
from supple.runs.run import resume_run, start_run
from supple.scene.text.load import read_scene

RAMP = {"keys": [[0.0, 1.0], [0.1, 0.1], [0.4, 1.0]], "interpolation": "smooth"}
H = 1 / 120


def scene(**time: Any) -> Any:
    body = {
        "name": "bar",
        "mesh": {"shape": "bar", "cells": [3, 1, 1], "size": [0.3, 0.1, 0.1]},
        "material": "foam",
        "pin": "left",
    }
    plate = {"shape": "box", "centre": [0.0, -1.0, 0.0], "size": [0.1, 0.1, 0.1], "law": "projection"}
    plate |= {"motion": {"translate": {"velocity": [0.5, 0.0, 0.0]}}}
    tables = {"solver": {"threads": 1}, "record": {"fps": 60}, "body": [body], "obstacle": [plate]}
    return read_scene({"time": {"step": H, "duration": 24 * H, **time}, **tables}, Path())


def ran(path: Path, **time: Any) -> sp.Run:
    job = start_run(scene(**time), path)
    list(job.frames())
    job.save()
    job.finish(job.folder.status)
    return sp.open_run(path)


def motion(run: sp.Run) -> dict[str, np.ndarray]:
    return {key: values for key, values in read_history(run.folder.history).items() if key != "wall_seconds"}


@pytest.mark.parametrize(
    ("speed", "exact"),
    [
        (0.25, lambda t: 0.25 * t),
        (Curve("1 + 0.5*sin(7*t)"), lambda t: t + 0.5 / 7 * (1 - np.cos(7 * t))),
        (Curve(keys=((0.5, 2.0), (1.0, 1.0))), lambda t: 2 * t - max(0, t - 0.5) ** 2 + max(0, t - 1) ** 2),
        (Curve(keys=((0.0, 1.0), (1.0, 3.0)), interpolation="step"), lambda t: t + 2 * max(0, t - 1)),
        (
            Curve(keys=((0.0, 1.0), (1.0, 2.0)), interpolation="smooth"),
            lambda t: t + (t**3 - t**4 / 2 if t < 1 else t - 0.5),
        ),
    ],
)
def test_simulated_time_is_the_integral_of_the_speed(speed: Any, exact: Any) -> None:
    clock = FilmClock(speed)
    times = [0.0, 0.3, 1.7, 0.9, 1.0, 2.5]  # in any order
    assert [clock.simulated(t) for t in times] == pytest.approx([exact(t) for t in times], abs=1e-12)
    assert FilmClock.read(clock.text).simulated(1.7) == clock.simulated(1.7)


def test_a_speed_must_stay_above_zero() -> None:
    with pytest.raises(SuppleError, match=r"time.speed: found -0.* at .* s of film; it must be above 0"):
        FilmClock(Curve("1 - t")).simulated(1.5)


def test_slow_motion_leaves_the_motion_alone(tmp_path: Path) -> None:
    plain, slow = ran(tmp_path / "plain"), ran(tmp_path / "slow", speed=0.25)
    one, other = motion(plain), motion(slow)
    assert all(np.array_equal(one[key], other[key], equal_nan=True) for key in one)
    assert len(slow.times) == 4 * (len(plain.times) - 1) + 1
    assert slow.times[-1] == pytest.approx(0.8)
    assert slow.simulated_times == pytest.approx(0.25 * slow.times, abs=1e-15)
    assert np.array_equal(slow.positions[::4], plain.positions)  # the same moments
    assert np.array_equal(slow.velocities[::4], np.float32(0.25) * plain.velocities)  # per second of the film


def test_velocities_are_those_of_the_film(tmp_path: Path) -> None:
    """Through a ramp: differences of positions over film time, of the body and of a shape that a script moves."""
    run = ran(tmp_path / "run", speed=RAMP)
    with open_film(RunFolder.open(run.path)) as film:
        t, e = 0.15, 1e-3
        before, now, after = (film.at(t + d) for d in (-e, 0.0, e))
        rate = (after.x - before.x) / (2 * e)
        assert np.abs(rate - now.v).max() < 2e-3 * np.abs(now.v).max() + 1e-3
        shape = now.v[film.recorded :, 0]
        assert shape == pytest.approx(0.5 * film.clock.speed_at(t), rel=1e-4)
        assert now.x[film.recorded :, 0].mean() == pytest.approx(0.5 * film.clock.simulated(t), abs=1e-4)


def test_exports_play_film_time(tmp_path: Path) -> None:
    run = ran(tmp_path / "slow", speed=0.5)
    run_times = run.times
    with open_film(RunFolder.open(run.path)) as film:
        assert film.sample(fps=30.0)[-1] == pytest.approx(run_times[-1])
    assert run_times[-1] == pytest.approx(0.4)


def test_a_resumed_film_has_the_same_bits(tmp_path: Path) -> None:
    whole = ran(tmp_path / "whole", speed=RAMP)
    job = start_run(scene(speed=RAMP), tmp_path / "parts")
    for frame in job.frames():
        if frame.step == 10:
            job.save()
        if frame.step == 13:
            break
    job.folder.close()
    shutil.move(tmp_path / "parts", tmp_path / "elsewhere")
    job = resume_run(tmp_path / "elsewhere")
    list(job.frames())
    job.save()
    job.finish(job.folder.status)
    resumed = sp.open_run(tmp_path / "elsewhere")
    assert np.array_equal(resumed.times, whole.times)
    assert np.array_equal(resumed.positions, whole.positions)
    assert np.array_equal(resumed.velocities, whole.velocities)
    one, other = motion(whole), motion(resumed)
    assert all(np.array_equal(one[key], other[key], equal_nan=True) for key in one)


def test_notes_on_films(tmp_path: Path) -> None:
    job = start_run(scene(speed=0.1), tmp_path / "run")
    notes = " ".join(job.notes)
    job.folder.close()
    assert "film: 121 frames at 60 per second, 2 s for 0.2 s of motion" in notes
    assert "less than a quarter of time.step" in notes
    job = start_run(scene(speed=0.5), tmp_path / "other")
    assert "less than a quarter" not in " ".join(job.notes)
    job.folder.close()


def test_speed_from_python(tmp_path: Path) -> None:
    bar = sp.Body(sp.Bar(cells=(2, 1, 1), size=(0.2, 0.1, 0.1)), "foam", pin="left")
    run = sp.run(
        sp.World([bar]), h=H, steps=12, out=tmp_path / "run", progress=False, speed=Curve(keys=((0.0, 0.5),)), fps=24
    )
    assert run.times[-1] == pytest.approx(0.2, abs=1 / 24)
    assert run.setup.speed == Curve(keys=((0.0, 0.5),))
