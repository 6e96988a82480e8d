"""The same bar, cloth, pile and stretched bar in supple and in its peers, one after the other: one table per sitting.

    python benchmarks/peers/compare.py --json --save benchmarks/peers/sitting.json

Peers run in separate environments, which are created on first use (environments.py). Each run is a process with a time
limit; tiny bodies run first, so that no table contains compile times. All cores are free for each run. Peers return positions
and velocities; energies and residuals are evaluated here (judge.py). A peer that cannot be installed, lacks a workload or
diverges has a row with the reason. Figures of two sittings must not be compared.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from environments import REQUIREMENTS, NotInstallable, default_folder, environment
from machine import busy, load, machine

HERE = Path(__file__).parent
WORKLOADS = ("bar", "cloth", "pile", "stretch")
LIMITS = {"bar": 10.0, "cloth": 10.0, "pile": 15.0, "stretch": 25.0}
"""For the steps of a run [s]; references get four times as much."""
CROWDED = 0.3
"""Cores busy with other work before a sitting above which it is not worth much."""


@dataclass(frozen=True)
class Peer:
    """A script and its methods, in the order of the table."""

    script: Path | None
    methods: dict[str, tuple[str, ...]]
    """Names of methods, and the workloads that they run, in all sizes or in the one named after it."""
    why: str = ""
    """Why there is no script, where there is none."""


SOLIDS, ALL = ("bar", "stretch"), WORKLOADS
PEERS: dict[str, Peer] = {
    "supple": Peer(HERE / "supple_steps.py", {"avf": ALL, "backward-euler": ALL, "avf, other law": SOLIDS}),
    "mujoco": Peer(HERE / "mujoco_flex.py", {"discrete, Newton": ALL, "discrete, CG": SOLIDS}),
    "newton": Peer(
        HERE / "newton_solvers.py",
        {
            "VBD, substeps": ALL,
            "VBD, whole steps": ("bar small", "stretch"),
            "semi-implicit": ("bar small",),
            "XPBD": ("bar small",),
        },
    ),
    "taichi": Peer(HERE / "taichi_newton.py", {"Newton-CG": ALL}),
    "pybullet": Peer(HERE / "bullet_soft.py", {"neo-Hookean": ALL}),
    "simkit": Peer(
        HERE / "simkit_newton.py", {"backward Euler, one Newton step": SOLIDS, "backward Euler, converged": ALL}
    ),
    "polyfem": Peer(None, {"-": ALL}, "polyfempy 0.2.3 has no wheel, and its source package lacks CMakeLists.txt"),
    "uipc": Peer(None, {"-": ALL}, "pyuipc 0.0.29 moves bodies by CUDA only"),
    "sofa": Peer(None, {"-": ALL}, "pip has no SofaPython3"),
}


@dataclass
class Sitting:
    """One call of this script."""

    folder: Path
    """Of the environments."""
    patience: float
    """Factor of the limits."""
    work: Path
    """Folder for problems and results."""
    peers: dict[str, Peer] = field(default_factory=lambda: PEERS)
    pythons: dict[str, Path | str] = field(default_factory=dict)
    """The Python of each peer, or why there is none."""

    def python(self, name: str) -> Path | str:
        if name not in self.pythons:
            try:
                self.pythons[name] = self.peers[name].why or environment(name, self.folder)
            except NotInstallable as problem:
                self.pythons[name] = f"not installable: {problem}"
        return self.pythons[name]

    def row(self, name: str, method: str, problem: Any) -> dict[str, Any]:
        """A run of a peer, judged; an error becomes a row too."""
        python = self.python(name)
        head = {"peer": name, "method": method, "workload": problem.workload, "size": problem.size}
        if isinstance(python, str):
            return {**head, "status": "absent", "note": python}
        limit = self.patience * LIMITS[problem.workload] * (4 if method.startswith("reference") else 1)
        given, result = self.work / "problem.npz", self.work / "result.npz"
        problem.save(given)
        result.unlink(missing_ok=True)
        row = launch([str(python), str(self.peers[name].script), str(given), str(result), method], limit, self.work)
        if row["status"] in ("done", "late"):
            from judge import judged

            with np.load(result) as found:
                row |= judged(problem, row, found)
        return {**head, **row}


def launch(command: Sequence[str], limit: float, work: Path | None = None) -> dict[str, Any]:
    """Output of a script about its run in a folder; it has twice the limit to start, compile and end."""
    try:
        done = subprocess.run(
            [*command, "--limit", str(limit)], capture_output=True, text=True, timeout=2 * limit + 20, cwd=work
        )
    except subprocess.TimeoutExpired:
        return {"status": "stopped", "note": f"not ready after {2 * limit + 20:.0f} s"}
    said = [line for line in done.stdout.splitlines() if line.startswith('{"status"')]
    if done.returncode or not said:
        return {"status": "failed", "note": failure(done.stderr, done.returncode)}
    return dict(json.loads(said[-1]))


def failure(output: str, code: int) -> str:
    """The last line of an error message without the folders in it."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    words = (lines or [f"ended with code {code}"])[-1].split()
    return " ".join(word if "/" not in word else Path(word).name for word in words)[:200]


def versions(sitting: Sitting, names: Sequence[str]) -> dict[str, list[str]]:
    return {name: list(REQUIREMENTS.get(name, ())) for name in names if not isinstance(sitting.python(name), str)}


def warm_up(sitting: Sitting, names: Sequence[str], workloads: Sequence[str]) -> None:
    """Two steps of a tiny body in every method, to fill the caches of compilers."""
    from workloads import WORKLOADS

    for workload in workloads:
        tiny = replace(WORKLOADS[workload]("tiny"), steps=2)
        for name, method in ways(sitting, names, workload):
            if not isinstance(sitting.python(name), str):
                print(line(sitting.row(name, method, tiny)), flush=True)


def ways(sitting: Sitting, names: Sequence[str], workload: str, size: str = "") -> list[tuple[str, str]]:
    """Peers and methods that run a workload in a size; a tiny one and none stand for all."""

    def runs(entry: str) -> bool:
        of, _, only = entry.partition(" ")
        return of == workload and (not only or size in ("", "tiny", only))

    return [(n, m) for n in names for m, run in sitting.peers[n].methods.items() if any(map(runs, run))]


def rows(
    sitting: Sitting, names: Sequence[str], workloads: Sequence[str], sizes: Sequence[str]
) -> Iterator[dict[str, Any]]:
    """All rows, workload by workload, so that compared rows ran at nearly the same time."""
    from workloads import SIZES, WORKLOADS

    for workload in workloads:
        for size in (size for size in sizes if size == "tiny" or size in SIZES[workload]):
            problem = WORKLOADS[workload](size)
            base = {"cells": len(problem.cells), "step": problem.step}
            laws = set()
            for name, method in ways(sitting, names, workload, size):
                row = sitting.row(name, method, problem)
                laws.add(row["law"] if row["status"] == "done" else "")
                yield {**base, **row}
            if workload == "bar" and "supple" in names:
                for law in sorted(laws - {""}):
                    yield {**base, **sitting.row("supple", f"reference {law}", problem)}


def document(options: argparse.Namespace) -> dict[str, Any]:
    began = time.perf_counter()
    names = options.peers.split(",")
    with tempfile.TemporaryDirectory() as work:
        sitting = Sitting(options.environments, options.patience, Path(work))
        for name in names:
            sitting.python(name)
        found = []
        if options.warm_up != "no":
            warm_up(sitting, names, options.workloads.split(","))
        if options.warm_up == "only":
            return {}
        others, before = busy(), load()
        spoilt = " (other work spoils the times)" if others > CROWDED else ""
        print(f"before the first run: {others:.2f} cores busy, load {before:.2f}{spoilt}")
        for row in rows(sitting, names, options.workloads.split(","), options.sizes.split(",")):
            print(line(row), flush=True)
            found.append(row)
        return {
            "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
            "machine": machine(),
            "busy_before": round(others, 2),
            "load_before": round(before, 2),
            "minutes": round((time.perf_counter() - began) / 60, 1),
            "versions": versions(sitting, names),
            "rows": found,
        }


def line(row: dict[str, Any]) -> str:
    """A row for the eye."""
    figures = ("seconds_per_step", "residual", "energy_kept")
    said = "  ".join(f"{key} {row[key]:.3g}" for key in figures if row.get(key) is not None)
    what = f"{row['workload']:8} {row['size']:7} {row['peer']:9} {row['method']:32}"
    place = "  tip " + " ".join(f"{c:.4f}" for c in row["tip"]) if "tip" in row else ""
    return f"{what} {row['status']:9} {said}{place}  {row.get('note', '')}"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", default=",".join(PEERS))
    parser.add_argument("--workloads", default=",".join(WORKLOADS))
    parser.add_argument("--sizes", default="coarse,small,middle", help="those that a workload has, or tiny")
    parser.add_argument("--environments", type=Path, default=default_folder(), metavar="FOLDER")
    parser.add_argument("--patience", type=float, default=1.0, help="factor of the time limits")
    parser.add_argument(
        "--warm-up", choices=("yes", "no", "only"), default="yes", help="tiny bodies first, or nothing else"
    )
    parser.add_argument("--save", type=Path, metavar="FILE", help="the sitting as a JSON document")
    parser.add_argument("--json", action="store_true", help="the same on the last line")
    return parser.parse_args()


def main() -> None:
    options = arguments()
    found = document(options)
    if options.save and found:
        options.save.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    if options.json and found:
        print(json.dumps(found))


if __name__ == "__main__":
    main()
