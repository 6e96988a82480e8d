"""Tiny runs and a sweep, computed once, of which every case damages a copy."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path

SOLID = """
title = "bar"
[world]
gravity = 9.81
[time]
step = 0.01
duration = 0.05
[record]
fps = 100
[[body]]
name = "bar"
mesh = { shape = "bar", cells = [2, 1, 1], size = [1.0, 0.5, 0.5] }
material = { name = "stvk", young = 2e4, poisson = 0.3 }
[[obstacle]]
shape = "half-space"
point = [0, -0.4, 0]
[expect.residual]
column = "residual"
below = 1.0
"""
LONG = SOLID.replace("duration = 0.05", "duration = 0.6").replace("poisson = 0.3 }", 'poisson = 0.3 }\npin = "left"')
"""Enough frames for loops and spectra."""
SHEET = """
title = "sheet"
[time]
step = 0.01
duration = 0.04
[[body]]
name = "sheet"
mesh = { file = "sheet.obj" }
thickness = 0.001
material = { name = "stvk-membrane", young = 1e4, poisson = 0.3 }
"""
OBJ = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 2 0 0\nv 2 1 0\nf 1 2 3 4\nf 2 5 6 3\n"


@cache
def folders() -> Path:
    """A folder with `solid`, `long`, `half` (interrupted after three steps) and `sheet`; their kernels are compiled now."""
    place = Path(tempfile.mkdtemp(prefix="supple-fuzz-runs-"))
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    from supple.runs.run import start_run
    from supple.runs.running import carried_out
    from supple.scene.text.load import load_scene

    (place / "in").mkdir()
    (place / "in" / "sheet.obj").write_text(OBJ)
    for name, text in (("solid", SOLID), ("long", LONG), ("sheet", SHEET)):
        scene = place / "in" / f"{name}.toml"
        scene.write_text(text)
        carried_out(start_run(load_scene(scene), place / name), progress=False)
    job = start_run(load_scene(place / "in" / "solid.toml"), place / "half")
    for frame in job.frames():
        if frame.step == 3:
            break
    job.save()
    job.finish(_interrupted())
    _sweep(place / "sweep", place / "solid")
    return place


def _interrupted():  # type: ignore[no-untyped-def]
    from supple.recording.folder import RunStatus

    return RunStatus.INTERRUPTED


def _sweep(place: Path, run: Path) -> None:
    """Two runs of which one has not begun."""
    from supple.sweeps.manifest import Manifest, Row, State

    shutil.copytree(run, place / "runs" / "000")
    plan = {
        "scene": "", "source": "bar.toml", "settings": [],
        "axes": [{"kind": "listed", "key": "time.step", "values": [0.01, 0.02]}],
        "design": {"kind": "grid"}, "measures": {}, "steps": None, "threads": 1,
    }  # fmt: skip
    rows = [
        Row(0, "runs/000", {"time.step": 0.01}, State.FINISHED, 1.0, "machine:1", None, {}),
        Row(1, "runs/001", {"time.step": 0.02}),
    ]
    Manifest(place, plan, rows).write()
