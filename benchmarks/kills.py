"""Is a run that was killed with -9 and resumed the same, to the bit, as one that was never stopped?

Each case runs once undisturbed and once with up to five kills, and is then resumed. A kill occurs at a random moment of the
start, a random time after a random row of the history, or as soon as a checkpoint is being written. `same`: whether all columns
of the history except the wall time, and all frames of the animation, are identical. For a sweep these are the table and all
histories, for a fit its figures and its scene.

    python benchmarks/kills.py --cases pile self-contact --kills 3 --seed 7 --json
"""

from __future__ import annotations

import argparse
import csv
import json
import random
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bars import show
from supple.fits.solving.journal import NAME as TRIALS
from supple.recording.history import read_history
from supple.recording.playback import open_animation

FAST = ("--set", "record.checkpoint_seconds=0.02", "--set", "solver.threads=1")
BAR = "body.0.mesh.cells=[4, 1, 1]"
RUNS: dict[str, tuple[str, int, tuple[str, ...]]] = {
    "pile": ("pile", 30, ()),
    "two-bodies": ("two-bodies", 40, ("body.0.mesh.cells=4", "body.1.mesh.cells=3")),
    "aligned-bodies": ("two-bodies", 12, ("body.0.mesh.cells=6", "body.1.mesh.cells=5")),
    "self-contact": ("wheel-self-contact", 40, ("body.0.mesh.around=10",)),
    "cloth-on-ball": ("draped-cloth", 40, ("body.0.mesh.cells=[8, 8]",)),
    "cloth-on-itself": ("curtain", 40, ("body.0.mesh.cells=[12, 4]",)),
    "cloth": ("hanging-cloth", 40, ()),
    "friction": ("block-on-slope", 60, ()),
    "budget": ("bouncing-ball-budget", 90, ()),
    "rebound": ("rebounding-ball", 90, ()),
    "constraint": ("chain-over-a-ball", 30, ()),
    "adaptive": ("cantilever", 40, (BAR, "integrator.adaptive=true")),
    "reversible": ("pendulum-adaptive", 60, ()),
    "exponential": ("cantilever", 90, (BAR, "integrator.name=siere")),
    "mpm": ("vibrating-bar-points", 40, ()),
    "mpm-implicit": ("jelly-drop-points", 6, ()),
    "xpbd": ("xpbd-cloth", 60, ()),
    "formula": ("own-laws", 20, ()),
    "ic": ("cantilever", 30, ("body.0.mesh.cells=[10, 3, 3]", "solver.linear=ic")),
    "amg": ("cantilever", 30, ("body.0.mesh.cells=[10, 3, 3]", "solver.linear=amg")),
    "cg": ("cantilever", 30, ("body.0.mesh.cells=[10, 3, 3]", "solver.linear=cg")),
    "threads": ("pile", 10, ("solver.threads=2",)),
    "film": ("cantilever", 60, (BAR, "record.fps=47", "time.speed=0.3")),
    "plastic": ("snowball", 4, ()),
    "muscle": ("winding-muscle", 12, ()),
    "exact": ("bouncing-cube-exact", 30, ()),
    "corotated": ("corotated-bar", 40, ()),
    "report": ("cantilever", 30, (BAR, "--report")),
}
"""Scene, steps, and changes or options."""
FIT = ("fit-cantilever", "--unknown", "body[0].material.young:log", "--loss", "hit(right, (0.79, -0.05, 0.05), at=0.4)",
       "--max-steps", "3", "--set", "time.duration=0.5", "--set", "solver.threads=1")  # fmt: skip
SWEEP = ("cantilever", "--vary", "body[0].material.young=5e5,1e6", "--vary", "integrator.name=avf,bdf2", "--steps", "30",
         "--workers", "1", "--set", "record.checkpoint_seconds=0.02")  # fmt: skip
PASSING = ("seconds", "worker", "wall_seconds")
"""Columns of a sweep's table that depend on the clock."""
POLL = 0.001


@dataclass(frozen=True)
class Case:
    """A command that creates a folder, the command that continues it, and a measure of its progress."""

    first: tuple[str, ...]
    again: tuple[str, ...]
    watched: str
    """File that grows by a line with each step."""
    lines: int
    """It has in the end."""


def case(name: str) -> Case:
    if name == "fit":
        return Case(("fit", *FIT), ("fit", *FIT), TRIALS, 8)
    if name == "sweep":
        return Case(("sweep", *SWEEP), ("sweep", "--resume"), "runs/001/history.csv", 30)
    scene, steps, changes = RUNS[name]
    settings = [word for change in changes for word in (("--set", change) if "=" in change else (change,))]
    again = ("run", *(change for change in changes if "=" not in change), "--resume")
    return Case(("run", scene, "--steps", str(steps), *FAST, *settings), again, "history.csv", steps)


def words(own: Case, out: Path) -> list[str]:
    """The command of a user: continue if a checkpoint exists, otherwise start again."""
    command = [sys.executable, "-m", "supple"]
    if own.first[0] == "fit":
        return [*command, *own.first, "--out", str(out)]
    begun = (out / ("checkpoint" if own.first[0] == "run" else "manifest.json")).exists()
    if begun:
        return [*command, *own.again, str(out)]
    return [
        *command,
        *own.first,
        "--out",
        str(out),
        *(["--overwrite"] if out.exists() and own.first[0] == "run" else []),
    ]


def killed(own: Case, out: Path, chance: random.Random) -> str:
    """One process, killed at a random moment; where it was, or `finished` if it was faster."""
    phase = chance.choice(("start", "steps", "steps", "checkpoint"))
    child = subprocess.Popen(words(own, out), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    file, began = out / own.watched, time.monotonic()
    now = lines(file)
    wanted = chance.randint(now + 1, max(own.lines, now + 1))
    later, start = chance.uniform(0.0, 0.03), chance.uniform(0.05, 1.5)
    while child.poll() is None:
        if phase == "start" and time.monotonic() - began > start:
            break
        if phase == "steps" and lines(file) >= wanted:
            time.sleep(later)
            break
        if phase == "checkpoint" and lines(file) > now and any(out.glob("**/checkpoint.part")):
            break
        time.sleep(POLL)
    child.kill()
    _, said = child.communicate()
    if child.returncode not in (0, -9):
        raise SystemExit(f"{' '.join(words(own, out))}\nended with {child.returncode}: {said}")
    return f"{phase} {lines(file)}" if child.returncode else "finished"


def lines(file: Path) -> int:
    try:
        return file.read_bytes().count(b"\n")
    except FileNotFoundError:
        return 0


def same(one: Path, two: Path) -> bool:
    if (one / "fit.json").exists():
        return all((one / name).read_bytes() == (two / name).read_bytes() for name in ("fit.json", "scene.toml"))
    if (one / "history.csv").exists():
        return same_history(one, two) and same_frames(one, two)
    runs = sorted(path.name for path in (one / "runs").iterdir())
    return table(one) == table(two) and all(same_history(one / "runs" / k, two / "runs" / k) for k in runs)


def table(sweep: Path) -> list[dict[str, str]]:
    """The table of a sweep, without columns that depend on the clock."""
    rows = csv.DictReader((sweep / "table.csv").read_text().splitlines())
    return [{key: value for key, value in row.items() if key not in PASSING} for row in rows]


def same_history(one: Path, two: Path) -> bool:
    a, b = read_history(one / "history.csv"), read_history(two / "history.csv")
    return a.keys() == b.keys() and all(a[k].tobytes() == b[k].tobytes() for k in a if k != "wall_seconds")


def same_frames(one: Path, two: Path) -> bool:
    with open_animation(one / "animation.vtkhdf") as a, open_animation(two / "animation.vtkhdf") as b:
        if a.times.tobytes() != b.times.tobytes():
            return False
        kinds = ("points", "velocities", "energies")
        return all(np.array_equal(getattr(a, f)(k), getattr(b, f)(k)) for k in range(len(a)) for f in kinds)


def measure(name: str, kills: int, seed: int, folder: Path) -> dict[str, object]:
    own, chance = case(name), random.Random(f"{name} {seed}")
    subprocess.run(words(own, folder / "whole"), check=True, capture_output=True)
    out, moments = folder / "killed", []
    for _ in range(kills):
        moments.append(killed(own, out, chance))
        if moments[-1] == "finished":
            break
    if moments[-1] != "finished":
        done = subprocess.run(words(own, out), check=False, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"{' '.join(words(own, out))}\nended with {done.returncode}: {done.stderr}")
    count = sum(moment != "finished" for moment in moments)
    return {"case": name, "kills": count, "same": same(folder / "whole", out), "moments": ", ".join(moments)}


def main() -> None:
    names = [*RUNS, "fit", "sweep"]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", nargs="+", choices=names, default=names)
    parser.add_argument("--kills", type=int, default=3, help="at most, of each case")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows = []
    for name in options.cases:
        with tempfile.TemporaryDirectory() as folder:
            rows.append(measure(name, options.kills, options.seed, Path(folder)))
            print(json.dumps(rows[-1]), flush=True)
    show(rows, options.json)
    sys.exit(not all(row["same"] for row in rows))


if __name__ == "__main__":
    main()
