"""Steps with constraints: the equations' derivatives, conserved quantities, orders, forces, work of scripts, refusals."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from builders import Setup, drift, four_nodes, hold, run, zero_length_springs
from methods import METHODS
from supple.budget.energy_budget import EnergyBudget
from supple.constraints.links import FixedLengths
from supple.constraints.motion import Motion
from supple.constraints.scripts import Rotate
from supple.constraints.surfaces import OnSphere, on_curve
from supple.dynamics.invariants import momenta
from supple.dynamics.needs import Need
from supple.dynamics.reactions import Reactions
from supple.dynamics.stage import Sample, Stage
from supple.dynamics.state import State
from supple.dynamics.system import build_system
from supple.energies.gravity import Gravity
from supple.energies.springs.springs import StVKSprings
from supple.formulas.implicit import Implicit
from supple.integrators import INTEGRATORS
from supple.integrators.implicit.avf import AVF
from supple.integrators.implicit.backward_euler import BackwardEuler
from supple.integrators.implicit.midpoint import Midpoint
from supple.integrators.variational.steps import Variational
from supple.loop import Frame
from supple.mesh.shapes.solid import Bar
from supple.solvers.multipliers import Problem
from supple.solvers.options import SolverOptions
from supple.solvers.report import SolveReport
from supple.solvers.saddle.matrix import SaddleMatrix
from supple.solvers.saddle.unheld import UnheldStage

G = 9.8
HOLDING = {"avf": AVF(), "backward-euler": BackwardEuler(), "midpoint": Midpoint(), "variational": Variational()}


def pendulum(angle: float = 2.0, by: str = "rod") -> Setup:
    """A bob of 1 kg, 1 m from the origin."""
    X = np.array([[0.0, 0.0, 0.0], [np.sin(angle), -np.cos(angle), 0.0]])
    mass = np.ones(2)
    kind = FixedLengths(X, [[0, 1]]) if by == "rod" else OnSphere([1], (0.0, 0.0, 0.0), 1.0)
    motion = Motion((hold([0], X),))
    return build_system(X, mass, [Gravity(mass, np.array([0.0, -G, 0.0]))], motion, constraints=[kind]), State(
        0.0, X, np.zeros_like(X)
    )


def chain(links: int, length: float, pinned: bool = True) -> Setup:
    """Rods of equal mass in a row, held at one end or flying."""
    X = np.zeros((links + 1, 3))
    X[:, 0] = np.linspace(0.0, length, links + 1)
    mass = np.full(links + 1, 1.0 / links)
    edges = np.stack([np.arange(links), np.arange(1, links + 1)], axis=1)
    v = np.zeros_like(X) if pinned else np.stack([0.1 + 0 * X[:, 0], X[:, 0] ** 2, np.sin(5 * X[:, 0])], axis=1)
    terms = [Gravity(mass, np.array([0.0, -9.81, 0.0]))] if pinned else []
    motion = Motion((hold([0], X),)) if pinned else None
    return build_system(X, mass, terms, motion, constraints=[FixedLengths(X, edges)]), State(0.0, X, v)


def worst(setup: Setup, frames: list[Frame]) -> float:
    """Largest |g| of all frames."""
    return max(float(np.abs(setup[0].constraints.values(f.state.x)).max()) for f in frames)


def test_the_matrix_is_the_derivative_of_the_equations() -> None:
    """Both forms, on a body with springs, a rod, a sphere and a held vertex."""
    system, state = four_nodes()
    X = state.x
    kinds = [FixedLengths(X, [[0, 1], [1, 3]]), OnSphere([2], (0.0, 0.0, 1.0), 1.3)]
    springs = [StVKSprings(X * 0.9, np.array([[0, 2], [2, 3]], dtype=np.int32), 8.0)]
    system = build_system(X, system.mass, springs, Motion((hold([0], X),)), constraints=kinds)
    rng, h = np.random.default_rng(0), 0.1
    stage = Stage(h, X + 0.1, (Sample(h * h / 2, 0.5, X / 2),), origin=X, start=X)
    for moves in (None, (h * state.v, h * state.v)):
        reactions = Reactions(h * h / 2, X, "end" if moves is None else "mean", moves)
        problem = Problem(system, UnheldStage(system, stage), reactions)
        x, w = X + 0.05 * rng.standard_normal(X.shape), 0.1 * rng.standard_normal(X.shape)
        x, w = system.motion.place(x, 0.0), system.motion.drive(w, 0.0)
        nu, mu = rng.standard_normal(3), np.zeros(3) if moves is None else rng.standard_normal(3)
        now = problem.at(x, w, nu, mu)
        matrix = SaddleMatrix(system, moves is not None, SolverOptions())
        (dx, dw, dnu, dmu), _ = matrix.moved(problem, now, SolveReport())
        assert max(np.abs(d).max() for d in (dx, dnu)) > 1e-2
        e = 1e-6  # along Newton's step the equations fall to nothing: f(y + e p) = (1 - e) f(y) + O(e^2)
        ahead, behind = (problem.at(x + s * dx, w + s * dw, nu + s * dnu, mu + s * dmu) for s in (e, -e))
        for name in ("momentum", "velocity", "off"):
            slope = (getattr(ahead, name) - getattr(behind, name)) / (2 * e)
            np.testing.assert_allclose(slope, -getattr(now, name), atol=1e-7 * (1.0 + np.abs(slope).max()))


def test_a_chain_of_fifty_links_keeps_energy_and_lengths() -> None:
    """Let go from the horizontal at one step a frame."""
    setup = chain(50, 5.0)
    frames = run(setup, AVF(), 1 / 60, 32)
    H = np.array([f.ledger.energies.total for f in frames])
    assert np.abs(H - H[0]).max() <= 1e-12 * frames[-1].ledger.energies.kinetic
    assert frames[-1].ledger.energies.kinetic > 10.0
    assert worst(setup, frames) < 1e-13
    rods, end = setup[0].constraints.kinds[0], frames[-1].state
    # velocities that lengths forbid would turn their sign in every step and take over
    rates = (rods.gradients(end.x) * end.v[rods.vertices]).sum(axis=(1, 2))
    assert np.abs(rates).max() < 1e-12 * np.abs(end.v).max()


@pytest.mark.parametrize("method", [Midpoint(), Variational()], ids=lambda m: m.name)
def test_the_swing_of_the_page(method: Any) -> None:
    """h = 0.02 s from 2 rad: energy within 1.5e-3 g L of its mean, without drift, and the rod keeps its length."""
    setup = pendulum()
    frames = run(setup, method, 0.02, 266)  # two periods
    E = np.array([f.ledger.energies.total for f in frames]) / G
    assert worst(setup, frames) < 1e-15
    assert np.abs(E - E.mean()).max() < 2.5e-3
    assert abs(E[:133].mean() - E[-133:].mean()) < 1e-5


@pytest.mark.study
def test_twenty_thousand_steps_of_a_pendulum() -> None:
    setup = pendulum()
    frames = run(setup, Midpoint(), 0.02, 20000)
    E = np.array([f.ledger.energies.total for f in frames]) / G
    assert worst(setup, frames) < 1e-12
    assert abs(E[:1000].mean() - E[-1000:].mean()) < 1e-4


@pytest.mark.study
def test_a_thousand_steps_of_a_chain() -> None:
    setup = chain(50, 5.0)
    frames = run(setup, AVF(), 1 / 60, 1000)
    H = np.array([f.ledger.energies.total for f in frames])
    assert np.abs(H - H[0]).max() <= 1e-9 * 0.5 * 9.81 * 5.0
    assert worst(setup, frames) < 1e-10


def test_methods_keep_momenta_of_a_flying_chain() -> None:
    setup = chain(4, 1.0, pinned=False)
    for name, method in HOLDING.items():
        frames = run(setup, method, 0.02, 15)
        (p0, L0), (p1, L1) = (momenta(setup[0], f.state) for f in (frames[0], frames[-1]))
        assert np.abs(p1 - p0).max() < 1e-13, name
        if name in ("midpoint", "variational"):
            assert np.abs(L1 - L0).max() < 1e-13, name
        if name == "avf":
            assert drift(frames) < 1e-13


@pytest.mark.parametrize(("name", "order"), [("avf", 2), ("midpoint", 2), ("variational", 2), ("backward-euler", 1)])
def test_orders_under_constraints(name: str, order: int) -> None:
    setup = chain(3, 1.0)
    ends = [run(setup, HOLDING[name], 0.4 / n, n)[-1].state for n in (20, 40, 80)]
    for part in ("x", "v"):
        coarse, fine = (np.abs(getattr(a, part) - getattr(b, part)).max() for a, b in pairwise(ends))
        assert np.log2(coarse / fine) == pytest.approx(order, abs=0.25)


def test_the_force_of_a_rod_is_its_tension() -> None:
    """m (v^2 / l + g cos q), from either of two ways to hold the bob."""
    for by in ("rod", "sphere"):
        for method in HOLDING.values():
            frames = run(pendulum(1.0, by), method, 2e-3, 30)
            now, before = frames[-1].state, frames[-2].state
            v = 0.5 * (now.v + before.v)[1]
            height = -0.5 * (now.x + before.x)[1, 1]
            assert frames[-1].solve.constraint_forces[0] == pytest.approx(v @ v + G * height, rel=6e-3), method.name


def test_a_bead_on_a_wire_keeps_its_energy() -> None:
    X, mass = np.array([[1.0, 0.0, 0.0]]), np.ones(1)
    wire = on_curve([0], Implicit("x - cos(2 * y)"), Implicit("z - sin(2 * y)"))
    system = build_system(X, mass, [Gravity(mass, np.array([0.0, -G, 0.0]))], constraints=wire)
    frames = run((system, State(0.0, X, np.zeros_like(X))), AVF(), 1 / 60, 60)
    # down a helix of slope 1 : 2 it falls with g / (1 + 4)
    assert frames[-1].state.x[0, 1] == pytest.approx(-0.5 * G / 5.0, rel=1e-3)
    H = np.array([f.ledger.energies.total for f in frames])
    assert np.abs(H - H[0]).max() < 1e-11
    assert worst((system, frames[0].state), frames) < 1e-13


def test_the_work_of_a_script_is_booked() -> None:
    """A chain that is swung about by its end, the only source of its energy."""
    system, state = chain(4, 1.0)
    turning = Motion((hold([0, 1], state.x, Rotate((0.0, 1.0, 0.0), (0.0, 0.0, 0.0), 6.0)),))
    rods = FixedLengths(state.x, [[1, 2], [2, 3], [3, 4]])
    system = build_system(state.x, system.mass, system.potential.terms, turning, constraints=[rods])
    for method, h, allowed in ((AVF(), 0.005, 1e-12), (AVF(), 0.02, 1e-12), (Midpoint(), 0.005, 5e-3)):
        frames = run((system, state), method, h, 7)
        assert frames[-1].step == 7
        assert frames[-1].ledger.external_work > 0.1
        assert abs(frames[-1].ledger.residual) < allowed * frames[-1].ledger.external_work


def test_damping_is_booked_beside_constraints() -> None:
    mesh = Bar(cells=(1, 1, 1), size=(1.0, 1.0, 1.0)).mesh()
    X, mass = mesh.vertices, np.ones(mesh.n)
    rods = FixedLengths(X, [[0, 1], [1, 2]])
    system = build_system(
        X,
        mass,
        [Gravity(mass, np.array([0.0, -G, 0.0]))],
        dissipation=[zero_length_springs(mesh, 0.5)],
        constraints=[rods],
    )
    v = np.random.default_rng(0).standard_normal(X.shape)
    frames = run((system, State(0.0, X, v)), AVF(), 0.02, 50)
    assert frames[-1].ledger.dissipated > 1.0
    assert abs(frames[-1].ledger.residual) < 1e-11


@pytest.mark.parametrize("name", METHODS)
def test_who_holds_constraints(name: str) -> None:
    """Methods support constraints or declare that they do not; wrappers follow their inner method."""
    setup, method = pendulum(), INTEGRATORS.find(name)()
    said = method.refuses(setup[0])
    assert "cannot enforce constraints; take avf, backward-euler, midpoint or variational" in said or said == ""
    assert (said == "") == (Need.CONSTRAINTS in method.meets)
    assert name not in HOLDING or said == ""
    if not said:
        assert worst(setup, run(setup, method, 0.02, 4)) < 1e-15


def test_what_cannot_stand_beside_constraints() -> None:
    system, _ = pendulum()
    assert EnergyBudget(Midpoint()).refuses(system) == ""
    assert "leave out reinject" in Variational(reinject=True).refuses(system)
