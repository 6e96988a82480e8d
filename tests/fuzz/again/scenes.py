"""Scenes for comparisons: mild ones, as most of them run, for enough steps that methods and wrappers have a past."""

from __future__ import annotations

import copy
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from fuzz.cases import OUT, SCENE, Case, base_scene
from fuzz.mixing import _entries, mild
from fuzz.mutations import Put
from fuzz.seeds import seed

STEPS = (6, 10)
"""Fewest and most steps of a run."""
LAWS = ("barrier", "barrier", "quadratic", "cubic", "projection")
GRID_LAWS = ("stick", "slip", "separate")
"""Laws of obstacles, for bodies with vertices and for those of material points."""
RECORDS: tuple[dict[str, Any], ...] = ({"every": 3}, {"fps": 37.0}, {"fps": 211.0})
SOLVERS: tuple[dict[str, Any], ...] = (
    {"linear": "ic"},
    {"linear": "amg"},
    {"linear": "cg"},
    {"reuse": "always"},
    {"max_iterations": 2},
    {"max_iterations": 4},
    {"max_iterations": 3, "max_halvings": 2},
    {"convexify": "projection"},
    {"backend": "superlu"},
    {"reuse": "always", "max_iterations": 8},
)
"""Other linear solvers, and so few iterations that steps are halved or give way."""


@dataclass(frozen=True)
class Rerun(Case):
    """A case that is run for some steps on some number of threads, and may be continued."""

    steps: int = STEPS[0]
    """Whole steps of the run."""

    def started(self, threads: int = 1, out: str = OUT) -> list[str]:
        """Words of the command that starts the run."""
        sets = [word for setting in (*self.settings, f"solver.threads={threads}") for word in ("--set", setting)]
        return ["run", SCENE, "--out", out, "--json", "--steps", str(self.steps), *sets]

    def arguments(self) -> list[str]:
        """The first of the commands."""
        return self.started()


def resumed(out: str = OUT) -> list[str]:
    """Words of the command that continues a run."""
    return ["run", "--resume", out, "--json"]


def rerun(start: int, number: int) -> Rerun:
    """Case `number` of the series that starts with the seed `start`."""
    from determinism.kinds import KINDS  # not before the process is prepared: this imports Numba

    random = Random(f"again {start}:{number}")
    kind = random.choice(sorted(KINDS)) if random.random() < 0.15 else ""
    base = seed(KINDS[kind].scene) if kind else base_scene(random)
    base = replace(base, tables=copy.deepcopy(base.tables))
    base.tables.setdefault("record", {})["checkpoint_seconds"] = 1e9
    changes: list[Put] = []
    made = Rerun(f"{start}:{number}", base, settings=KINDS[kind].changes if kind else ())
    for _ in range(random.choice((0, 0, 1, 1, 2))):
        changes.append(mild(made.tables(), random))
        made = replace(made, changes=tuple(changes))
    for make in (_method, _landing, _colliding, _solving, _solving, _wrapping, _longer, _recording, _moving):
        if random.random() < 0.2:
            changes += make(made.tables(), random)
            made = replace(made, changes=tuple(changes))
    return replace(made, steps=random.randint(*STEPS))


def _method(tables: dict[str, Any], random: Random) -> list[Put]:
    """Any method with its defaults."""
    from supple.integrators import INTEGRATORS

    return [Put(("integrator",), {"name": random.choice(sorted(INTEGRATORS.names()))})]


def _landing(tables: dict[str, Any], random: Random) -> list[Put]:
    """The first body falls onto a floor just below the height where most meshes begin."""
    body = tables.get("body", [{}])[0]
    law = random.choice(GRID_LAWS if "points" in body else LAWS)
    floor: dict[str, Any] = {"shape": "half-space", "law": law, "distance": 1e-3}
    floor["point"] = [0.0, -random.choice((0.002, 0.02, 0.102, 0.12)), 0.0]
    if law in ("barrier", "separate"):
        floor["friction"] = random.choice((0.0, 0.3))
    if law in ("quadratic", "cubic"):
        floor["stiffness"] = random.choice((1e2, 1e4))
    speed = random.choice((0.5, 2.0, 5.0))
    return [Put(("obstacle",), [floor]), Put(("body", 0, "initial"), {"velocity": [0.3, -speed, 0.1]})]


def _colliding(tables: dict[str, Any], random: Random) -> list[Put]:
    """The first body twice, the second above the first and faster."""
    bodies = tables.get("body")
    if not isinstance(bodies, list) or len(bodies) != 1 or not isinstance(bodies[0], dict):
        return []
    second = {word: entry for word, entry in bodies[0].items() if word not in ("name", "pin", "motion")}
    second["initial"] = {"translate": [0.01, random.choice((0.11, 0.13, 0.2)), 0.02], "velocity": [0.1, -3.0, 0.0]}
    contact = {"distance": 2e-3, "friction": random.choice((0.0, 0.3))}
    return [Put(("body", 1), second), Put(("contact",), contact)]


def _solving(tables: dict[str, Any], random: Random) -> list[Put]:
    """Other solvers, or too few iterations."""
    given = tables.get("solver")
    return [Put(("solver",), {**(given if isinstance(given, dict) else {}), **random.choice(SOLVERS)})]


def _wrapping(tables: dict[str, Any], random: Random) -> list[Put]:
    """A budget or error control around the method."""
    from fuzz.mixing import WRAPPERS

    given = tables.get("integrator")
    return [Put(("integrator",), {**given, **random.choice(WRAPPERS)})] if isinstance(given, dict) else []


def _longer(tables: dict[str, Any], random: Random) -> list[Put]:
    """Long steps are harder: more iterations, failures and halvings."""
    return [Put(("time", "step"), random.choice((0.02, 0.05, 0.1)))]


def _recording(tables: dict[str, Any], random: Random) -> list[Put]:
    """Frames of a film that lie between steps."""
    changes = [Put(("record",), {"checkpoint_seconds": 1e9, **random.choice(RECORDS)})]
    return [*changes, *([Put(("time", "speed"), 0.37)] if random.random() < 0.4 else [])]


def _moving(tables: dict[str, Any], random: Random) -> list[Put]:
    """Forces that depend on time, or damping of another scene."""
    if random.random() < 0.4:
        shaken = {"name": "force", "force": ["sin(40*t)", "2*cos(30*t)", "x*t"]}
        return [Put(("field",), [shaken])]
    word = random.choice(("damping", "field"))
    return [Put((word,), copy.deepcopy(random.choice(_entries(word))))]
