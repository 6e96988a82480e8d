"""Draws the pictures of docs/start, by the scene and the script that stand on the pages.

    python tools/draw_start.py [NAME ...]

Names are those of PICTURES; without any, all are drawn, in half a minute.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from contextlib import chdir
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from PIL import Image

from supple.render import style
from supple.types import Array

DOCS = Path(__file__).parent.parent / "docs"
IMAGES = DOCS / "images"


def block(page: str, language: str) -> str:
    """The first block of a language on a page of docs/start."""
    text = (DOCS / "start" / page).read_text(encoding="utf-8")
    found = re.search(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    assert found
    return found[1]


def supple(*words: str) -> None:
    subprocess.run([sys.executable, "-m", "supple", *words], check=True, stdout=subprocess.DEVNULL)


def draw_board() -> None:
    """The diving board at three moments."""
    Path("diving-board.toml").write_text(block("first-scene.md", "toml"), encoding="utf-8")
    supple("run", "diving-board.toml")
    supple("render", "runs/diving-board", "--to", "board.png", "--time", "0,0.2,0.4", "--size", "400x300")
    with Image.open("board.png") as picture:
        picture.convert("RGB").save(IMAGES / "diving-board.png", optimize=True)


def draw_script() -> None:
    """Height of the tip and energies of the first script."""
    names: dict[str, Any] = {"print": lambda *words: None}
    exec(compile(block("first-python.md", "python"), "first-python.md", "exec"), names)
    run, tip = names["run"], names["tip"]
    figure = style.new_figure(9.0, 3.8, "The bar of the first script")
    height, energy = figure.subplots(1, 2, width_ratios=(1.0, 1.2))
    height.plot(run.times, 100 * tip, color=style.INK)
    height.plot(run.times[tip.argmin()], 100 * tip.min(), "o", color=style.INK)
    height.annotate(
        f"lowest: {100 * tip.min():.1f} cm", (run.times[tip.argmin()], 100 * tip.min()), (10, -4),
        textcoords="offset points", fontsize=11, color=style.INK, va="top",
    )  # fmt: skip
    height.margins(y=0.15)
    style.dress(height, "y of the tip  [cm]")
    history = run.history
    for name, words in (("kinetic", "kinetic"), ("elastic", "elastic"), ("gravity", "gravity, from the start")):
        energy.plot(history["time"], change(history, name), color=style.ENERGY_COLOURS[name], label=words)
    energy.plot(history["time"], history["dissipated"], color="#888888", linestyle="dashed", label="dissipated")
    style.dress(energy, "energy  [J]")
    energy.legend(fontsize=10.5, frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    for axes in (height, energy):
        axes.set_xlabel("time  [s]", fontsize=12.5, color=style.INK)
    reduced(figure, IMAGES / "first-python.png")


def reduced(figure: Figure, path: Path) -> None:
    """900 pixels wide, with colours that keep those of thin lines."""
    style.save(figure, Path("figure.png"))
    with Image.open("figure.png") as picture:
        small = picture.convert("RGB").resize(
            (900, round(900 * picture.height / picture.width)), Image.Resampling.LANCZOS
        )
    small.quantize(256, Image.Quantize.MAXCOVERAGE, kmeans=2).save(path, optimize=True)


def change(history: dict[str, Array], name: str) -> Array:
    return np.asarray(history[name] - history[name][0])


PICTURES = {"diving-board": draw_board, "first-python": draw_script}
"""Pictures by name; the file is `docs/images/NAME.png`."""


def main(names: list[str]) -> None:
    if unknown := set(names) - set(PICTURES):
        sys.exit(f"unknown: {', '.join(sorted(unknown))}; known: {', '.join(PICTURES)}")
    for name in names or PICTURES:
        with tempfile.TemporaryDirectory() as folder, chdir(folder):
            PICTURES[name]()


if __name__ == "__main__":
    main(sys.argv[1:])
