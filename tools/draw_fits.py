"""Draws the pictures of docs/guide/fits.md: a fitted swing, and the stiffness of sections by two methods."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from PIL import Image

import supple as sp
from supple.render import style

ROOT = Path(__file__).parent.parent
SCENES, IMAGES = ROOT / "scenes", ROOT / "docs" / "images"
KEYS = [f"body[0].regions[0].layers.materials[{k}].young" for k in range(8)]
TRUE = np.array([2e6, 2e6, 2e6, 5e5, 5e5, 2e6, 2e6, 2e6])


def draw_swing() -> None:
    """Target, start and fit of the cantilever."""
    unknowns = ["body[0].material.young:log", "damping[0].shear:log"]
    tip = sp.follow("right", SCENES / "fit-cantilever.csv")
    result = sp.Fit(SCENES / "fit-cantilever.toml", unknowns, tip).solve()
    save(result.plot(), IMAGES / "fit-cantilever.png")


def sections(method: str) -> np.ndarray:
    motion = sp.follow("all", SCENES / "fit-soft-part.npz")
    unknowns = [sp.Unknown(key, "log", (1e4, 1e8)) for key in KEYS]
    loss = motion + 3e-7 * sp.roughness(*KEYS)
    settings = [f"integrator.name={method}"]
    result = sp.Fit(SCENES / "fit-soft-part.toml", unknowns, loss, settings=settings).solve(20)
    return np.array([result.values[key] for key in KEYS])


def draw_sections() -> None:
    figure = style.new_figure(8.0, 4.2, "Stiffness of eight sections")
    axes = figure.subplots()
    places = np.arange(8)
    axes.step(np.append(places, 8) - 0.5, np.append(TRUE, TRUE[-1]) / 1e6, where="post", color="#111111", label="true")
    axes.axhline(1.2, color="#999999", linestyle="dotted", label="start")
    for method, shift in (("avf", -0.12), ("backward-euler", 0.12)):
        stroke = style.INTEGRATORS[method]
        axes.plot(places + shift, sections(method) / 1e6, "o", color=stroke.colour, markersize=9, label=method)
    axes.set_yscale("log")
    style.dress(axes, "Young's modulus  [MPa]")
    axes.set_xlabel("section, from the clamp to the free end", fontsize=12.5, color=style.INK)
    style.legend_below(figure, axes, columns=4)
    save(figure, IMAGES / "fit-sections.png")


def save(figure: Figure, path: Path) -> None:
    """With few colours, which keeps the file small."""
    style.save(figure, path)
    with Image.open(path) as picture:
        small = picture.convert("RGB").resize(
            (picture.width * 2 // 3, picture.height * 2 // 3), Image.Resampling.LANCZOS
        )
    small.quantize(64).save(path, optimize=True)


if __name__ == "__main__":
    draw_swing()
    draw_sections()
