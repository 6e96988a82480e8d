"""Small scenes that fits are tested with."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

import supple as sp
from supple.types import Array

BAR = """
title = "small bar"
[world]
gravity = 9.81
[time]
step = "1/60"
duration = 0.25
[[body]]
name = "bar"
mesh = { shape = "bar", cells = [3, 1, 1], size = [0.6, 0.1, 0.1] }
material = { name = "stvk", young = 2e5, poisson = 0.3 }
density = 1000.0
initial = { velocity = [0.1, 0.2, 0.5] }
pin = "left"
"""
DAMPED = BAR + '[[damping]]\nname = "viscosity"\nshear = 50.0\n'
YOUNG, DENSITY, SHEAR = "body[0].material.young", "body[0].density", "damping[0].shear"


def write(folder: Path, text: str = BAR) -> Path:
    file = folder / "bar.toml"
    file.write_text(text)
    return file


def motion(scene: Path, settings: Sequence[str] = (), every: int = 1) -> tuple[Array, Array]:
    """Times and positions of all vertices at every so many steps."""
    setup = sp.load(scene, list(settings))
    frames = list(sp.simulate(setup.assemble(), setup.method, h=setup.h, steps=setup.steps))[::every]
    return np.array([frame.state.t for frame in frames]), np.array([frame.state.x for frame in frames])
