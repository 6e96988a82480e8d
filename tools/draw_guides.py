"""Draws pictures of the guide and of the pages for developers from runs or stored measurements.

    python tools/draw_guides.py [NAME ...]

Names are those of PICTURES; without any, all are drawn, in about a minute.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path
from typing import Any

import numpy as np
from draw_fits import save
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from mpl_toolkits.mplot3d.art3d import Poly3DCollection

import supple as sp
from supple.render import style
from supple.types import Array

ROOT = Path(__file__).parent.parent
DOCS, SITTING = ROOT / "docs", ROOT / "benchmarks" / "peers" / "sitting.json"
SLOW = 10
"""Frames per second of the recording that is resampled."""
FRAME = 33
"""Frame in which the surfaces are drawn, at 60 per second."""
BLUE, ORANGE, GREY = "#0072b2", "#d55e00", "#888888"


def python_api() -> Figure:
    """The energy of the run at the top of the page, by the code on the page."""
    page = (DOCS / "guide" / "python-api.md").read_text(encoding="utf-8")
    code = re.search(r"```python\n(.*?)```", page, re.DOTALL)
    assert code
    names: dict[str, Any] = {"print": lambda *words: None}
    exec(compile(code[1], "python-api.md", "exec"), names)
    figure: Figure = names["run"].plot_energy()
    return figure


def export() -> Figure:
    """A slow recording resampled, and a coarse body in a fine skin."""
    supple("run", "jelly", "--out", "fine", "--set", "time.duration=1")
    supple("run", "jelly", "--out", "slow", "--set", "time.duration=1", "--set", f"record={{fps={SLOW}}}")
    supple("export", "slow", "--to", "npz", "--fps", "60", "--out", "cubic.npz")
    write_sphere(Path("skin.obj"))
    supple("export", "fine", "--to", "obj", "--out", "body")
    supple("export", "fine", "--to", "obj", "--skin", "skin.obj", "--out", "skin")

    figure = style.new_figure(10.0, 4.4, "Resampled motion, and a coarse body in a fine skin")
    grid = figure.add_gridspec(1, 3, width_ratios=(1.7, 1.0, 1.0))
    draw_resampling(figure.add_subplot(grid[0]))
    for k, (folder, words) in enumerate((("body", "simulated surface"), ("skin", "--skin"))):
        axes = figure.add_subplot(grid[k + 1], projection="3d")
        draw_surface(axes, sorted(Path(folder).glob("*.obj"))[FRAME])
        axes.set_title(words, fontsize=12, color=style.INK, y=0.94, family="monospace" if k else None)
    return figure


def supple(*words: str) -> None:
    subprocess.run([sys.executable, "-m", "supple", *words], check=True, stdout=subprocess.DEVNULL)


def write_sphere(path: Path) -> None:
    """The ball of `jelly` as a fine surface."""
    mesh = sp.Sphere(radius=0.1, centre=(0.0, 0.1, 0.0), subdivisions=4).mesh()
    lines = [f"v {x:.9g} {y:.9g} {z:.9g}" for x, y, z in mesh.vertices]
    lines += [f"f {a} {b} {c}" for a, b, c in mesh.triangles + 1]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def draw_resampling(axes: Axes) -> None:
    fine, slow, cubic = sp.open_run("fine"), sp.open_run("slow"), np.load("cubic.npz")
    top = int(fine.positions[0, :, 1].argmax())
    axes.plot(fine.times, 100 * fine.positions[:, top, 0], color=style.FAINT, linewidth=6, label="every step")
    axes.plot(slow.times, 100 * slow.positions[:, top, 0], "--", color=ORANGE, linewidth=1.2, label="straight lines")
    times, x = trace(cubic, slow.positions[0, top])
    axes.plot(times, 100 * x, color=BLUE, label="--fps 60")
    axes.plot(slow.times, 100 * slow.positions[:, top, 0], "o", color=style.INK, label=f"recorded, {SLOW} per second")
    style.dress(axes, "x of the top  [cm]")
    axes.set_xlabel("time  [s]", fontsize=12.5, color=style.INK)
    axes.legend(fontsize=10, frameon=False, loc="lower left", ncols=2)
    low, high = axes.get_ylim()
    axes.set_ylim(low - 0.35 * (high - low), high)


def trace(file: Any, start: Array) -> tuple[Array, Array]:
    """Times and x of the exported vertex that starts at a point."""
    positions = file[next(key for key in file if file[key].ndim == 3)]
    vertex = int(np.linalg.norm(positions[0] - start, axis=1).argmin())
    return np.arange(len(positions)) / 60.0, positions[:, vertex, 0]


def draw_surface(axes: Any, path: Path) -> None:
    lines = [line.split() for line in path.read_text(encoding="utf-8").splitlines()]
    x = np.array([words[1:] for words in lines if words[:1] == ["v"]], dtype=float)
    faces = np.array([[w.partition("/")[0] for w in words[1:]] for words in lines if words[:1] == ["f"]], dtype=int) - 1
    corners = x[faces][:, :, [0, 2, 1]] * [1, -1, 1]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    light = 0.55 + 0.45 * np.clip(normals @ (np.array([0.4, -0.7, 0.6]) / np.linalg.norm([0.4, -0.7, 0.6])), 0, 1)
    colours = np.array([0.36, 0.62, 0.80]) * light[:, None]
    axes.add_collection3d(Poly3DCollection(corners, facecolors=colours, edgecolors="#24506b", linewidths=0.15))
    centre = (corners.min(axis=(0, 1)) + corners.max(axis=(0, 1))) / 2
    for k, setter in enumerate((axes.set_xlim, axes.set_ylim, axes.set_zlim)):
        setter(centre[k] - 0.085, centre[k] + 0.085)
    axes.set_axis_off()
    axes.view_init(elev=15, azim=-60)


def determinism() -> Figure:
    """Distance of two runs with other backends, of smooth motion and with contact."""
    figure = style.new_figure(8.0, 4.2, "Distance between runs with two backends")
    axes = figure.subplots()
    for scene, steps, words, colour in (
        ("cantilever", 90, "smooth motion (cantilever)", BLUE),
        ("wheel-self-contact", 90, "self-contact (wheel-self-contact)", ORANGE),
    ):
        first, again, other = (trajectory(scene, steps, backend) for backend in ("auto", "auto", "superlu"))
        assert np.array_equal(first, again)
        extent = np.ptp(first[0], axis=0).max()
        distance = np.abs(other - first).max(axis=(1, 2)) / extent
        axes.semilogy(range(steps + 1), np.where(distance > 0, distance, np.nan), color=colour, label=words)
    axes.plot([], [], color=GREY, linestyle="dotted", label="the same backend again: 0 at every step")
    style.dress(axes, "distance / extent  [-]")
    axes.set_xlabel("step", fontsize=12.5, color=style.INK)
    style.legend_below(figure, axes, columns=3)
    return figure


def trajectory(scene: str, steps: int, backend: str) -> Array:
    """Positions after every whole step."""
    setup = sp.load(scene, [f"solver.backend={backend}"])
    model = setup.assemble()
    frames = sp.simulate(model, setup.method, h=setup.h, steps=steps, solver=setup.solver)
    return np.array([frame.state.x.copy() for frame in frames if frame.whole])


def solver() -> Figure:
    """Time and memory over the size of a bar, from the table on the page."""
    page = (DOCS / "develop" / "solver.md").read_text(encoding="utf-8")
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in scaling_rows(page)]
    tets = [float(row[0].replace(",", "")) for row in rows]
    figure = style.new_figure(9.0, 4.0, "A hanging bar from 3,500 to a million tets")
    time, memory = figure.subplots(1, 2, width_ratios=(1.6, 1.0))
    for column, words in ((5, "backward-euler"), (6, "avf")):
        seconds = [float(row[column].split()[0]) for row in rows]
        time.loglog(tets, seconds, "o-", color=style.INTEGRATORS[words].colour, label=words)
    time.loglog(tets, 2e-6 * np.array(tets), color=GREY, linestyle="dotted", label="proportional to the size")
    memory.loglog(tets, [float(row[7].split()[0]) for row in rows], "o-", color=style.INK)
    for axes, words in ((time, "time per step  [s]"), (memory, "peak memory  [GiB]")):
        style.dress(axes, words)
        axes.set_xlabel("tets", fontsize=12.5, color=style.INK)
    memory.set_yticks([0.2, 0.5, 1.0, 2.0], ["0.2", "0.5", "1", "2"])
    memory.minorticks_off()
    for row, x, y in zip(rows, tets, (float(row[5].split()[0]) for row in rows), strict=True):
        time.annotate(row[2].split(",")[0], (x, y), (6, -14), textcoords="offset points", fontsize=10, color=style.INK)
    time.set_xlim(2e3, 6e6)
    time.set_ylim(bottom=3e-3)
    time.legend(fontsize=10.5, frameon=False, loc="upper left")
    return figure


def scaling_rows(page: str) -> Iterator[str]:
    """Rows of the table of `benchmarks/scaling.py`."""
    lines = iter(page.splitlines())
    next(line for line in lines if line.startswith("| tets | unknowns | chosen |"))
    next(lines)
    for line in lines:
        if not line.startswith("|"):
            return
        yield line


def measurements() -> Figure:
    """Time per step and energy error of every engine, from the stored sitting."""
    from write_measurements import NAMES

    rows = [row for row in json.loads(SITTING.read_text(encoding="utf-8"))["rows"] if row["workload"] == "bar"]
    rows = [row for row in rows if row["size"] == "small" and row["status"] == "done"]
    rows = [row for row in rows if not row["method"].startswith("reference") and row.get("energy_kept") is not None]
    rows.reverse()  # the first row at the top
    figure = style.new_figure(9.5, 4.8, "Hanging bar of 3,500 tets: cost and energy error of each engine")
    time, energy = figure.subplots(1, 2, sharey=True)
    colours = [BLUE if row["peer"] == "supple" else ORANGE for row in rows]
    names = [f"{NAMES.get(row['peer'], row['peer'])}, {row['method']}" for row in rows]
    for axes, values, words in (
        (time, [1e3 * row["seconds_per_step"] for row in rows], "time per step  [ms]"),
        (energy, [max(abs(1.0 - row["energy_kept"]), 1e-15) for row in rows], "|1 - energy kept|  [-]"),
    ):
        axes.hlines(range(len(rows)), min(values) / 2, values, color=style.FAINT, linewidth=2)
        axes.scatter(values, range(len(rows)), c=colours, s=60, zorder=3)
        axes.set_xscale("log")
        style.dress(axes, "")
        axes.set_xlabel(words, fontsize=12.5, color=style.INK)
        axes.set_xlim(left=min(values) / 2)
    time.set_yticks(range(len(rows)), names)
    return figure


PICTURES = {
    "python-api": python_api,
    "export": export,
    "determinism": determinism,
    "solver": solver,
    "measurements": measurements,
}
"""Pictures by the name of their page; the file is `docs/images/NAME.png`."""


def main(names: list[str]) -> None:
    if unknown := set(names) - set(PICTURES):
        sys.exit(f"unknown: {', '.join(sorted(unknown))}; known: {', '.join(PICTURES)}")
    for name in names or PICTURES:
        with tempfile.TemporaryDirectory() as folder, chdir(folder):
            save(PICTURES[name](), DOCS / "images" / f"{name}.png")


if __name__ == "__main__":
    main(sys.argv[1:])
