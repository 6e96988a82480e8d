"""Runs of shipped scenes for the tools that draw pictures of methods and theory, and how these draw and save."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from PIL import Image

import supple as sp
from supple.dynamics.invariants import momenta
from supple.errors import SuppleError
from supple.render import style
from supple.types import Array

IMAGES = Path(__file__).parent.parent / "docs" / "images"


def frames(
    scene: str, method: Mapping[str, Any] | None, *settings: str, h: float = 0.0, steps: int = 0, fatal: bool = True
) -> list[Any]:
    """Frames of whole steps, the start included; `method` None: that of the scene; without `fatal` a run may end early."""
    if method is not None:
        settings = ("integrator={" + ", ".join(f"{key} = {value!r}" for key, value in method.items()) + "}", *settings)
    setup = sp.load(scene, list(settings))
    h, steps = h or setup.h, steps or setup.steps
    found = []
    try:
        for frame in sp.simulate(setup.assemble(), setup.method, h=h, steps=steps, solver=setup.solver):
            if frame.whole:
                found.append(frame)
    except SuppleError:
        if fatal:
            raise
    return found


def energy(run: Sequence[Any]) -> Array:
    """Total energies [J]."""
    return np.array([frame.ledger.energies.total for frame in run])


def momentum(scene: str, run: Sequence[Any]) -> Array:
    """Angular momenta (steps + 1, 3)."""
    system = sp.load(scene).assemble().system
    return np.array([momenta(system, frame.state)[1] for frame in run])


def plot(axes: Axes, name: str, x: Any, y: Any, **options: Any) -> None:
    """A curve of a method in its colour and dashes."""
    stroke = style.INTEGRATORS[name]
    axes.plot(x, y, **{"color": stroke.colour, "linestyle": stroke.pattern, "label": name, **options})


def logarithmic(axes: Axes, xlabel: str, ylabel: str) -> None:
    """Quiet axes with a logarithmic ordinate."""
    labelled(axes, xlabel, ylabel)
    axes.set_yscale("log")


def labelled(axes: Axes, xlabel: str, ylabel: str) -> None:
    """Quiet axes with both labels."""
    style.dress(axes, ylabel)
    axes.set_xlabel(xlabel, fontsize=12.5, color=style.INK)


def titled(axes: Axes, words: str) -> None:
    """The title of a panel."""
    axes.set_title(words, fontsize=12, color=style.INK)


def draw(pictures: Mapping[str, Callable[[], Figure]], folder: str, names: Sequence[str]) -> None:
    """The named pictures, or all of them."""
    if unknown := set(names) - set(pictures):
        sys.exit(f"unknown: {', '.join(sorted(unknown))}; known: {', '.join(pictures)}")
    for name in names or pictures:
        save(pictures[name](), IMAGES / folder / f"{name}.png")


def save(figure: Figure, path: Path) -> None:
    """At 100 dpi with few colours, which keeps the file small."""
    figure.savefig(path, dpi=100)
    with Image.open(path) as picture:
        picture.convert("RGB").quantize(200, dither=Image.Dither.NONE).save(path, optimize=True)
