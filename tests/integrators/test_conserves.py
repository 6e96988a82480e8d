"""Each claim of `Facts.conserves`, measured on small free bodies for every method."""

from functools import cache

import numpy as np
import pytest

from builders import Setup, accepted, run, stretched_bar
from methods import METHODS
from supple.dynamics.invariants import momenta
from supple.dynamics.state import State
from supple.dynamics.step import Conserved
from supple.dynamics.system import build_system
from supple.energies.springs.springs import HookeSprings
from supple.loop import Frame
from supple.materials.linear import Linear
from supple.materials.material import Material
from supple.materials.stvk import StVK
from supple.mesh.topology import unique_edges

ALLOWED: dict[Conserved, float] = {
    "energy": 1e-11,
    "energy of linear bodies": 1e-11,
    "linear momentum": 1e-12,
    "angular momentum": 1e-11,
}
CLAIMS = [(name, kept) for name in sorted(METHODS) for kept in METHODS[name]().facts.conserves]
STEPS = 12


def drifting_bar(material: Material) -> Setup:
    """Stretched, spinning and moving, so that no momentum is zero."""
    system, start = stretched_bar(material, cells=(3, 1, 1), stretch=(1.05, 1.0, 1.0), spin=(0.5, 1.0, 3.0))
    return system, State(0.0, start.x, start.v + np.array([0.7, -0.2, 0.4]))


def drifting_springs(linear: bool) -> Setup:
    """The same as a net of springs; linear: of rest length zero."""
    system, start = drifting_bar(StVK(500.0, 10.0))
    edges = unique_edges(system.potential.terms[0].elements)
    springs = HookeSprings(np.zeros_like(start.x) if linear else start.x / [1.05, 1.0, 1.0], edges, 20.0)
    return build_system(start.x, system.mass, [springs]), start


def body(name: str, linear: bool) -> Setup:
    """A solid, or springs for a method that takes nothing else."""
    material = Linear(500.0, 10.0) if linear else StVK(500.0, 10.0)
    return accepted(METHODS[name](), lambda: drifting_bar(material), lambda: drifting_springs(linear))


@cache
def frames(name: str, linear: bool) -> list[Frame]:
    """Steps that resolve the stiffest motion for explicit methods, large ones for the others."""
    h = 1 / 60 if METHODS[name]().facts.solves else 1 / 500
    return run(body(name, linear), METHODS[name](), h, STEPS, tolerance=1e-13)


def change(name: str, kept: Conserved) -> float:
    """Largest change of a quantity, relative to its size."""
    if kept.startswith("energy"):
        rows = frames(name, kept != "energy")
        energy = np.array([f.ledger.energies.total for f in rows])
        return float(np.abs(energy - energy[0]).max() / rows[0].ledger.energies.scale)
    rows = frames(name, False)
    system, k = body(name, False)[0], ("linear momentum", "angular momentum").index(kept)
    values = np.array([momenta(system, f.state)[k] for f in rows])
    return float(np.abs(values - values[0]).max() / np.abs(values[0]).max())


@pytest.mark.parametrize(("name", "kept"), CLAIMS, ids=lambda value: str(value))
def test_what_a_method_says_it_keeps_it_keeps(name: str, kept: Conserved) -> None:
    assert change(name, kept) <= ALLOWED[kept]


def test_the_measure_sees_what_is_not_kept() -> None:
    assert change("backward-euler", "energy") > 1e-2
    assert change("midpoint", "energy") > 1e-6
    assert change("backward-euler", "energy of linear bodies") > 1e-2
    assert change("avf", "angular momentum") > 1e-7
    assert change("backward-euler", "angular momentum") > 1e-3


@pytest.mark.parametrize("name", sorted(METHODS))
def test_claims_do_not_contradict_each_other(name: str) -> None:
    kept = METHODS[name]().facts.conserves
    assert len(set(kept)) == len(kept)
    assert set(kept) <= set(ALLOWED)
    assert "energy" not in kept or "energy of linear bodies" in kept
