"""Hard impacts of small cubes: is every step exact, or reported?

`barrier`: a cube of 10 cm hits a half-space at 6 to 24 m/s, at steps of 1/24 to 1/120 s, by AVF and Simo-Tarnow. `logarithmic`:
materials whose energy is infinite for flat elements, by AVF and implicit midpoint. `grazing`: vertices that come past shapes
between the ends of a step. A run is exact if no step misses more than 1e-9 of the energy in play, reported if each step that
does has a note, and silent otherwise.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from supple.errors import SuppleError
from supple.loop import simulate
from supple.scene.text.load import read_scene
from supple.solvers.tools import StepTools

EXACT = 1e-9
STEPS = 12
GRAZED: dict[str, dict[str, Any]] = {
    "sphere": {"shape": "sphere", "centre": [0.0, -0.05, 0.0], "radius": 0.08},
    "capsule": {"shape": "capsule", "start": [-0.3, -0.05, 0.0], "end": [0.3, -0.05, 0.1], "radius": 0.06},
    "stairs": {"shape": "stairs", "origin": [-0.2, -0.2, 0.0], "steps": 3, "rise": 0.08, "run": 0.1, "width": 0.6},
    "box": {"shape": "box", "centre": [0.0, -0.06, 0.0], "size": [0.15, 0.1, 0.3], "turn": [0.0, 0.2, 0.6]},
}


def scene(
    material: dict[str, Any], method: str, velocity: list[float], h: float, obstacle: dict[str, Any]
) -> dict[str, Any]:
    body = {
        "name": "cube",
        "mesh": {"shape": "cube", "cells": 2, "size": 0.1, "origin": [-0.05, 0.06, -0.05]},
        "material": material,
        "density": 1000.0,
        "initial": {"rotate": {"axis": [0.3, 0.2, 1.0], "angle": 0.4}, "velocity": velocity},
    }
    return {
        "time": {"step": h, "duration": STEPS * h},
        "integrator": {"name": method},
        "solver": {"threads": 1},
        "body": [body],
        "obstacle": [{"name": "ground", **obstacle}],
    }


def barrier() -> Iterator[tuple[str, dict[str, Any]]]:
    choices = itertools.product(
        (200.0, 2e3, 2e4), (6.0, 12.0, 24.0), (24, 60, 120), (2e-4, 1e-3), ("avf", "simo-tarnow")
    )
    for young, speed, rate, distance, method in choices:
        material = {"name": "stvk", "young": young, "poisson": 0.35}
        ground = {"shape": "half-space", "distance": distance}
        name = f"{method} E {young:g} {speed:g} m/s 1/{rate} s distance {distance:g}"
        yield name, scene(material, method, [0.3, -speed, 0.1], 1 / rate, ground)


def logarithmic() -> Iterator[tuple[str, dict[str, Any]]]:
    materials = ("neo-hookean", "mooney-rivlin", "modified-neo-hookean")
    for material, speed, rate, method in itertools.product(materials, (3.0, 6.0, 9.0), (60, 120), ("avf", "midpoint")):
        ground = {"shape": "half-space"} | ({"law": "quadratic", "stiffness": 1e6} if method == "midpoint" else {})
        chosen = {"name": material, "young": 2e3, "poisson": 0.35}
        yield (
            f"{method} {material} {speed:g} m/s 1/{rate} s",
            scene(chosen, method, [0.2, -speed, 0.1], 1 / rate, ground),
        )


def grazing() -> Iterator[tuple[str, dict[str, Any]]]:
    material = {"name": "stvk", "young": 1e4, "poisson": 0.35}
    for (name, shape), speed, rate in itertools.product(GRAZED.items(), (2.0, 5.0, 10.0), (60, 120)):
        yield (
            f"avf {name} {speed:g} m/s 1/{rate} s",
            scene(material, "avf", [speed, -0.4 * speed, 0.1], 1 / rate, shape),
        )


def measure(name: str, tables: dict[str, Any]) -> dict[str, Any]:
    """Figures of one run."""
    worst, silent, told, finite, ended = 0.0, 0, 0, True, ""
    try:
        checked = read_scene(tables, Path.cwd(), name)
        built = checked.make().assemble()
        tools = StepTools(built.system, checked.solver.make())
        method = checked.integrator.make()
        last = 0.0
        for frame in simulate(built.system, method, built.state, checked.time.step, checked.time.steps, tools):
            ledger = frame.ledger
            missed = abs(ledger.residual - last) / ledger.energies.scale
            last = ledger.residual
            finite &= math.isfinite(ledger.energies.total)
            told += frame.exceptional
            if method.facts.conserves and "energy" in method.facts.conserves:
                worst = max(worst, missed)
                silent += missed > EXACT and not frame.exceptional
        tools.close()
    except SuppleError as problem:
        ended = str(problem)
    return {"run": name, "missed": worst, "silent": silent, "told": told, "finite": finite, "ended": ended}


FAMILIES = {"barrier": barrier, "logarithmic": logarithmic, "grazing": grazing}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--family", action="append", choices=[*FAMILIES], help="all of them by default; repeats")
    parser.add_argument("--json", action="store_true", help="one JSON document on the last line")
    options = parser.parse_args()
    summary = {}
    for family in options.family or FAMILIES:
        rows = [measure(*run) for run in FAMILIES[family]()]
        for row in rows:
            if row["told"] or row["silent"] or row["ended"] or not row["finite"]:
                print(
                    f"{row['run']:60} misses {row['missed']:.1e}, {row['told']} noted, {row['silent']} silent {row['ended']}"
                )
        summary[family] = {
            "runs": len(rows),
            "exact": sum(row["missed"] <= EXACT for row in rows),
            "reported": sum(row["missed"] > EXACT and not row["silent"] for row in rows),
            "silent": sum(row["silent"] > 0 for row in rows),
            "infinite": sum(not row["finite"] for row in rows),
            "ended": sum(bool(row["ended"]) for row in rows),
        }
        print(f"{family:12} " + ", ".join(f"{count} {what}" for what, count in summary[family].items()), flush=True)
    if options.json:
        print(json.dumps(summary))


if __name__ == "__main__":
    main()
