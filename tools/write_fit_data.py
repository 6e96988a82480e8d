"""Writes the targets of the scenes that are fitted: fine solutions of the true bodies, by SDIRK.

scenes/fit-cantilever.csv: the mean tip at 30 Hz, 1/960 s. scenes/fit-soft-part.npz: all vertices at 60 Hz, 1/480 s, with noise of
0.1 mm.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import supple as sp
from supple.types import Array

SCENES = Path(__file__).parent.parent / "scenes"
NOISE = 1e-4
SECTIONS = (2e6, 2e6, 2e6, 5e5, 5e5, 2e6, 2e6, 2e6)


def motion(scene: str, step: str, every: int, settings: list[str]) -> tuple[Array, Array, sp.Model]:
    """Times and positions of a fine solution at every so many steps."""
    setup = sp.load(SCENES / f"{scene}.toml", ["integrator.name=sdirk", f"time.step={step}", *settings])
    model = setup.assemble()
    frames = [f for f in sp.simulate(model, setup.method, h=setup.h, steps=setup.steps) if f.step % every == 0]
    return np.array([f.state.t for f in frames]), np.array([f.state.x for f in frames]), model


def write_cantilever() -> None:
    t, x, model = motion("fit-cantilever", "1/960", 32, ["body[0].material.young=2e6", "damping[0].shear=1500"])
    rows = np.column_stack([t, x[:, model.mesh.group("right")].mean(axis=1)])
    np.savetxt(SCENES / "fit-cantilever.csv", rows, delimiter=",", header="t,x,y,z", comments="", fmt="%.9g")


def write_soft_part() -> None:
    keys = [f"body[0].regions[0].layers.materials[{k}].young={young}" for k, young in enumerate(SECTIONS)]
    t, x, _ = motion("fit-soft-part", "1/480", 8, keys)
    x[1:] += NOISE * np.random.default_rng(1).normal(size=x[1:].shape)
    np.savez_compressed(SCENES / "fit-soft-part.npz", t=np.round(t, 12), x=np.round(x, 7))


if __name__ == "__main__":
    write_cantilever()
    write_soft_part()
