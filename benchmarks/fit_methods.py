"""Results of a fit by method: stiffness and viscosity of the bar of `fit-cantilever`, lightly and heavily damped.

    python benchmarks/fit_methods.py [--json]
The target is the mean tip position at 30 Hz of a fine solution (SDIRK, 1/960 s); the table is that of docs/guide/fits.md.
"""

from __future__ import annotations

import argparse
import json
import time
from typing import Any

import numpy as np

import supple as sp

YOUNG, SHEAR = "body[0].material.young", "damping[0].shear"
E, SHEARS = 2e6, (1500.0, 15000.0)
CASES = (
    ("avf", "1/30"), ("avf", "1/60"), ("midpoint", "1/60"), ("sdirk", "1/60"), ("bdf2", "1/30"),
    ("backward-euler", "1/30"), ("backward-euler", "1/120"),
)  # fmt: skip


def target(shear: float) -> tuple[Any, Any]:
    """Times and places of the tip by a fine solution."""
    settings = [f"{YOUNG}={E}", f"{SHEAR}={shear}", "integrator.name=sdirk", "time.step=1/960"]
    setup = sp.load("fit-cantilever", settings)
    model = setup.assemble()
    tip = model.mesh.group("right")
    frames = [f for f in sp.simulate(model, setup.method, h=setup.h, steps=setup.steps) if f.step % 32 == 0]
    return np.array([f.state.t for f in frames]), np.array([f.state.x[tip].mean(axis=0) for f in frames])


def fitted(method: str, step: str, shear: float, tip: tuple[Any, Any]) -> dict[str, Any]:
    """One row."""
    settings = [f"integrator.name={method}", f"time.step={step}", f"{SHEAR}={shear / 3.0}"]
    unknowns = [sp.Unknown(YOUNG, "log"), sp.Unknown(SHEAR, "log", (1.0, 1e6))]
    began = time.perf_counter()
    result = sp.Fit("fit-cantilever", unknowns, sp.follow("right", tip), settings=settings).solve(15)
    young, damping = result.table
    return {
        "method": method, "step": step, "shear": shear, "young_over_true": young.value / E,
        "corrected_over_true": None if young.corrected is None else young.corrected / E,
        "shear_over_true": damping.value / shear, "rms_mm": 1e3 * (result.rms or 0.0), "runs": result.runs,
        "seconds": time.perf_counter() - began, "warned": any("damps by itself" in note for note in result.notes),
    }  # fmt: skip


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--json", action="store_true")
    as_json = options.parse_args().json
    tips = {shear: target(shear) for shear in SHEARS}
    rows = [fitted(*case, shear, tips[shear]) for case in CASES for shear in SHEARS]
    if as_json:
        print(json.dumps(rows))
        return
    print("| method, step | viscosity [Pa s] | E/true | corrected | viscosity/true | misfit [mm] | runs |")
    print("|---|---|---|---|---|---|---|")
    for row in rows:
        corrected = "" if row["corrected_over_true"] is None else f"{row['corrected_over_true']:.3f}"
        print(
            f"| {row['method']} {row['step']} | {row['shear']:.0f} | {row['young_over_true']:.3f} | {corrected} "
            f"| {row['shear_over_true']:.3f} | {row['rms_mm']:.1f} | {row['runs']} |"
        )


if __name__ == "__main__":
    main()
