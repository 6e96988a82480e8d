"""Constraints beside contact, friction, projections, impulses, pressure and the energy budget, from scene tables."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from builders import run
from supple.constraints.links import FixedLengths
from supple.contact.barrier_law import Barrier
from supple.contact.obstacles.half_space import HalfSpace, HalfSpaceContact
from supple.dynamics.state import State
from supple.dynamics.system import build_system
from supple.energies.gravity import Gravity
from supple.integrators.implicit.avf import AVF
from supple.loop import Frame, simulate
from supple.model.model import Model
from supple.progress import begin, restore
from supple.scene.tables.scene import Scene
from supple.scene.text.load import read_scene
from supple.solvers.tools import StepTools

BALL = {"name": "ball", "shape": "sphere", "centre": [0.0, 0.3, 0.02], "radius": 0.2}
FLOOR = {"name": "floor", "shape": "half-space"}
CHAIN = {
    "name": "chain",
    "mesh": {"shape": "rope", "segments": 12, "length": 1.2},
    "material": {"name": "stvk-spring", "stretch": 1.0},
    "mass": 0.4,
    "initial": {"translate": [-0.5, 0.58, 0.0]},
}
RODS = {"kind": "rods", "vertices": "chain"}
CUBE = {"mesh": {"shape": "bar", "cells": [1, 1, 1], "size": [0.2, 0.2, 0.2]}, "density": 500.0}
JELLY = {"name": "stvk", "young": 2e4, "poisson": 0.3}


def scene(**tables: Any) -> Scene:
    data = {"time": {"step": "1/120"}, "solver": {"threads": 1, "strict": False}, **tables}
    return read_scene(data, Path())


def falling_chain(method: dict[str, Any], friction: float = 0.3, **obstacle: Any) -> Scene:
    obstacles = [{**each, "friction": friction, **obstacle} for each in (BALL, FLOOR)]
    return scene(body=[CHAIN], constraint=[RODS], obstacle=obstacles, integrator=method)


def frames_of(given: Scene, steps: int) -> tuple[Model, list[Frame]]:
    model = given.make().assemble()
    tools, method = StepTools(model.system, given.solver.make()), given.integrator.make()
    progress = begin(model.system, method, model.state, tools)
    frames = list(simulate(model.system, method, progress, given.time.step, steps, tools))
    tools.close()
    return model, frames


def off(model: Model, frames: list[Frame]) -> float:
    """The furthest that any constraint was missed [m]."""
    return max(float(np.abs(model.system.constraints.distances(f.state.x)).max()) for f in frames)


def depth(frames: list[Frame]) -> float:
    """How deep the deepest vertex was inside the ball or the floor [m]."""
    c = np.array(BALL["centre"])
    inside = [max(-f.state.x[:, 1].min(), 0.2 - np.linalg.norm(f.state.x - c, axis=1).min()) for f in frames]
    return float(max(inside))


def in_play(frames: list[Frame]) -> float:
    return max(f.ledger.energies.kinetic for f in frames)


@pytest.mark.parametrize("friction", [0.0, 0.3])
def test_a_chain_over_a_ball_keeps_lengths_and_books(friction: float) -> None:
    """Curved barriers and friction: exact through contact and constraints at once."""
    model, frames = frames_of(falling_chain({"name": "avf"}, friction), 25)
    assert off(model, frames) < 1e-12
    assert depth(frames) < 0.0
    assert max(abs(f.ledger.residual) for f in frames) < 1e-9 * in_play(frames)
    assert (frames[-1].ledger.dissipated > 1e-2) == (friction > 0.0)
    rods, end = model.system.constraints.kinds[0], frames[-1].state
    rates = (rods.gradients(end.x) * end.v[rods.vertices]).sum(axis=(1, 2))
    assert np.abs(rates).max() < 1e-10 * np.abs(end.v).max()


def test_backward_euler_holds_a_chain_on_a_ball() -> None:
    model, frames = frames_of(falling_chain({"name": "backward-euler"}), 30)
    assert off(model, frames) < 1e-12
    assert depth(frames) < 0.0
    residuals = np.array([f.ledger.residual for f in frames])
    assert np.diff(residuals).max() < 1e-9  # it loses energy, and never makes any


def stacked_cubes(method: dict[str, Any], cells: int = 1, friction: float = 0.3) -> Scene:
    """A cube with rods along its top, or with its volume kept, falls on another one."""
    mesh = {**CUBE["mesh"], "cells": [cells] * 3}
    upper = {**CUBE, "mesh": mesh, "name": "upper", "material": JELLY, "initial": {"translate": [0.03, 0.25, 0.02]}}
    lower = {**CUBE, "name": "lower", "material": JELLY, "pin": "bottom"}
    kept = {"kind": "rods", "vertices": "upper.top"} if cells == 1 else {"kind": "volume", "vertices": "upper"}
    return scene(body=[lower, upper], constraint=[kept], contact={"friction": friction}, integrator=method)


@pytest.mark.parametrize("name", ["avf", "backward-euler"])
def test_surfaces_that_touch_beside_rods(name: str) -> None:
    """Blocks of contact outside the pattern, with friction."""
    model, frames = frames_of(stacked_cubes({"name": name}), 20)
    assert off(model, frames) < 1e-12
    assert max(f.ledger.energies.other for f in frames) > 0.0  # they met
    assert not any(model.system.potential.passes(a.state.x, b.state.x) for a, b in pairwise(frames))
    if name == "avf":
        assert max(abs(f.ledger.residual) for f in frames) < 1e-9 * in_play(frames)


@pytest.mark.parametrize(
    ("name", "law"),
    [
        *(("avf", law) for law in ("projection", "velocity", "linearised")),
        ("midpoint", "velocity"),
        *(pytest.param("midpoint", law, marks=pytest.mark.study) for law in ("projection", "linearised")),
    ],
)
def test_obstacles_without_forces_leave_rods_as_they_are(name: str, law: str) -> None:
    model, frames = frames_of(falling_chain({"name": name}, law=law), 30)
    assert off(model, frames) < 1e-12
    if law == "projection":
        assert depth(frames) < 2e-3  # links between two vertices that were put out may lead others in for a step
    assert sum(f.collided != 0.0 for f in frames) > 5
    if name == "avf":  # the remainder of the ledger is the effect of collisions
        assert abs(frames[-1].ledger.residual - sum(f.collided for f in frames)) < 1e-9 * in_play(frames)


def bar(method: dict[str, Any], **more: Any) -> Scene:
    body = {
        "name": "bar",
        "mesh": {"shape": "bar", "cells": [3, 1, 1], "size": [0.9, 0.3, 0.3]},
        "material": JELLY,
        "density": 500.0,
        "initial": {"velocity": ["0", "3 * X", "sin(9 * X)"]},
    }
    rods = {"kind": "rods", "vertices": "bar.top"}
    return scene(body=[body], constraint=[rods], world={"gravity": [0.0, 0.0, 0.0]}, integrator=method, **more)


def test_a_budget_closes_the_balance_along_the_constraints() -> None:
    model, frames = frames_of(bar({"name": "midpoint", "budget": {}}), 15)
    assert off(model, frames) < 1e-12
    assert max(abs(f.ledger.residual) for f in frames) < 1e-9 * in_play(frames)
    rods, end = model.system.constraints.kinds[0], frames[-1].state
    rates = (rods.gradients(end.x) * end.v[rods.vertices]).sum(axis=(1, 2))
    assert np.abs(rates).max() < 1e-11 * np.abs(end.v).max()
    _, plain = frames_of(bar({"name": "midpoint"}), 15)
    assert max(abs(f.ledger.residual) for f in plain) > 1e-6 * in_play(frames)
    for before, after in zip(frames[0].momenta(), frames[-1].momenta(), strict=True):
        np.testing.assert_allclose(after, before, atol=1e-10)


def test_a_budget_along_the_motion_swings_a_chain_of_rods() -> None:
    """Rods have no elastic forces: the budget returns the losses of backward Euler along the motion."""
    body = {**CHAIN, "pin": "start"}
    method = {"name": "backward-euler", "budget": {"along": "motion"}}
    model, frames = frames_of(scene(body=[body], constraint=[RODS], integrator=method), 30)
    assert off(model, frames) < 1e-12
    assert abs(frames[-1].ledger.residual) < 1e-9 * in_play(frames)


def test_impulses_of_dampers_are_put_along_the_constraints() -> None:
    damping = [{"name": "structure-preserving", "tau": 1e-3}]
    model, frames = frames_of(bar({"name": "avf"}, damping=damping), 10)
    assert off(model, frames) < 1e-12
    assert frames[-1].ledger.dissipated > 1e-3
    assert abs(frames[-1].ledger.residual) < 1e-9 * in_play(frames)


def test_pressure_beside_a_plane() -> None:
    body = {
        "name": "ball",
        "mesh": {"shape": "sphere", "radius": 0.2, "subdivisions": 1},
        "material": {"name": "stvk-membrane", "young": 1e4, "poisson": 0.3},
        "thickness": 2e-3,
        "density": 500.0,
        "pressure": {"law": "gas", "pressure": 60.0, "exponent": 1.4},
    }
    level = {"kind": "plane", "vertices": "ball.top", "normal": [0, 1, 0]}
    model, frames = frames_of(scene(body=[body], constraint=[level], integrator={"name": "avf"}), 6)
    assert off(model, frames) < 1e-12
    assert abs(frames[-1].ledger.residual) < 1e-9 * in_play(frames)


@pytest.mark.parametrize("reuse", ["auto", "always"])
def test_a_resumed_run_has_the_same_bits(reuse: str) -> None:
    """Old factors and grown patterns are memory."""
    given = stacked_cubes({"name": "avf"}, cells=2)
    model, method = given.make().assemble(), given.integrator.make()
    options = {**given.solver.make().__dict__, "reuse": reuse}
    tools = StepTools(model.system, type(given.solver.make())(**options))
    progress = begin(model.system, method, model.state, tools)
    saved, frames = [], []
    for frame in simulate(model.system, method, progress, given.time.step, 14, tools):
        meta, arrays = progress.save(tools)
        saved.append((meta, {key: np.array(value) for key, value in arrays.items()}))
        frames.append(frame)
    kept = [value.size for key, value in saved[-1][1].items() if "constrained." in key and key.endswith("factored")]
    assert (max(kept) > 0) == (reuse == "always")
    for k in (3, 8, 12):
        fresh = StepTools(model.system, type(given.solver.make())(**options))
        resumed = restore(*saved[k], fresh)
        again = simulate(model.system, method, resumed, given.time.step, 14, fresh)
        found = next(f for f in again if f.step > saved[k][0]["step"])
        assert np.array_equal(found.state.x, frames[k + 1].state.x)
        assert np.array_equal(found.state.v, frames[k + 1].state.v)
        fresh.close()
    tools.close()


def test_a_chain_on_a_floor_from_python() -> None:
    x = np.zeros((9, 3))
    x[:, 0], x[:, 1] = np.linspace(0.0, 0.8, 9), np.linspace(0.1, 0.4, 9)
    mass, rods = np.full(9, 0.05), FixedLengths(x, np.stack([np.arange(8), np.arange(1, 9)], axis=1))
    floor = HalfSpaceContact(HalfSpace((0.0, 0.0, 0.0)), Barrier(1e3, 0.02), np.arange(9))
    terms = [Gravity(mass, np.array([0.0, -9.81, 0.0])), floor]
    system = build_system(x, mass, terms, constraints=[rods])
    taken = run((system, State(0.0, x, np.zeros_like(x))), AVF(), 0.01, 60)
    assert max(float(np.abs(system.constraints.values(f.state.x)).max()) for f in taken) < 1e-12
    assert max(abs(f.ledger.residual) for f in taken) < 1e-9 * in_play(taken)
    assert 0.0 < min(f.state.x[:, 1].min() for f in taken) < 0.02  # it bounced
