"""The `supple` command in a separate process, and the contents of its folders."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from supple.cli import main
from supple.recording.checkpoint import read_checkpoint
from supple.recording.history import COLUMNS, read_history
from supple.recording.playback import open_animation

BAR = """
title = "small bar"
[world]
gravity = 9.81
[time]
step = "1/60"
duration = 0.5
[[body]]
name = "bar"
mesh = { shape = "bar", cells = [4, 1, 1], size = [1.0, 0.25, 0.25] }
material = { name = "stvk", young = 2e4, poisson = 0.3 }
density = 500.0
pin = "left"
"""


def write_scene(folder: Path, text: str = BAR, name: str = "bar.toml") -> Path:
    file = folder / name
    file.write_text(text)
    return file


def command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "supple", *map(str, arguments)]


def supple(*arguments: object, folder: Path, code: int = 0) -> subprocess.CompletedProcess[str]:
    """Run in `folder`, and expect this exit code and no traceback."""
    done = subprocess.run(command(*arguments), cwd=folder, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == code, done.stdout + done.stderr
    assert "Traceback" not in done.stderr, done.stderr
    return done


def here(*arguments: object, code: int = 0) -> None:
    """Run in this process and in its folder, which saves the seconds of a start; an unforeseen error would get through."""
    with pytest.raises(SystemExit) as left:
        main([str(a) for a in arguments])
    assert int(left.value.code or 0) == code


def blank_figures(patch: pytest.MonkeyPatch) -> None:
    """Write empty pictures in the place of figures."""
    from matplotlib.figure import Figure

    real = Figure.savefig

    def savefig(figure: Figure, file: Any, **options: Any) -> None:
        real(Figure((0.1, 0.1)), file, **options)

    patch.setattr(Figure, "savefig", savefig)


def last_json(out: str) -> Any:
    """The document on the last line; NaN and Infinity are not JSON."""

    def refuse(word: str) -> None:
        raise AssertionError(f"{word} is not JSON")

    return json.loads(out.splitlines()[-1], parse_constant=refuse)


def status(folder: Path) -> str:
    return str(json.loads((folder / "run.json").read_text())["status"])


def start(*arguments: object, folder: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        command(*arguments), cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=dict(os.environ)
    )


def stop_when_rows(child: subprocess.Popen[str], history: Path, rows: int, number: signal.Signals) -> bool:
    """Send a signal as soon as the history has so many rows; False if the run was faster."""
    while child.poll() is None:
        if history.exists() and history.read_bytes().count(b"\n") > rows:
            child.send_signal(number)
            return True
        time.sleep(0.002)
    return False


def saved_step(folder: Path) -> int:
    """Step of the newest checkpoint."""
    return int(read_checkpoint(folder).meta["step"])


def assert_same_history(a: Path, b: Path) -> None:
    """All columns but wall_seconds, to the last bit."""
    one, two = read_history(a / "history.csv"), read_history(b / "history.csv")
    for column in COLUMNS:
        if column != "wall_seconds":
            np.testing.assert_array_equal(one[column], two[column], err_msg=column)


def assert_same_animation(a: Path, b: Path) -> None:
    with open_animation(a / "animation.vtkhdf") as one, open_animation(b / "animation.vtkhdf") as two:
        np.testing.assert_array_equal(one.times, two.times)
        for k in range(len(one)):
            np.testing.assert_array_equal(one.points(k), two.points(k))
            np.testing.assert_array_equal(one.velocities(k), two.velocities(k))
            np.testing.assert_array_equal(one.energies(k), two.energies(k))
