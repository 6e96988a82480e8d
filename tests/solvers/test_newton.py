"""The stage solver: a known root, exact energy bookkeeping, options that lead to the same minimum, honest failure."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from builders import Setup, at_rest, hold, run, stretched_bar, takes_solids, twisted_bar
from supple.constraints.motion import Motion
from supple.dynamics.stage import Sample, Stage, StageObjective
from supple.dynamics.state import State
from supple.dynamics.system import build_system
from supple.energies.gravity import Gravity
from supple.energies.samples import Samples
from supple.energies.solids.solid import Solid
from supple.energies.term import EnergyTerm, Placement
from supple.errors import StageNotConverged
from supple.integrators import INTEGRATORS
from supple.integrators.implicit.avf import AVF
from supple.integrators.implicit.backward_euler import BackwardEuler
from supple.loop import Frame
from supple.materials.neo_hookean import NeoHookean
from supple.materials.stvk import StVK
from supple.mesh.measure import lumped_mass
from supple.mesh.shapes.solid import Bar
from supple.solvers.newton import NewtonSolver
from supple.solvers.options import SolverOptions
from supple.solvers.report import Outcome, SolveReport
from supple.types import Array
from supple.work import Work, counted

METHODS = INTEGRATORS.load()
H = 1 / 30


class DoubleWell(EnergyTerm):
    """V = 10 x + 1500 (x^2 - 1)^2 + (y^2 + z^2)/2 of one vertex."""

    degree = 4
    elements = np.zeros((1, 1), np.int32)

    def element_values(self, x: Array) -> Array:
        a, b, c = x[0]
        return np.array([10 * a + 1500 * (a * a - 1) ** 2 + (b * b + c * c) / 2])

    def element_gradients(self, x: Array) -> Array:
        a, b, c = x[0]
        return np.array([[[10 + 6000 * a * (a * a - 1), b, c]]])

    def element_hessians(self, x: Array) -> Array:
        return np.diag([6000 * (3 * x[0, 0] ** 2 - 1), 1.0, 1.0])[None]


def double_well() -> Setup:
    rest = np.zeros((1, 3))
    system = build_system(rest, np.ones(1), [DoubleWell()])
    return system, State(0.0, np.array([[0.6, 0.0, 0.0]]), np.array([[-9.0, 0.0, 0.0]]))


# One AVF step of h = 0.04: the only real root of its equation, found with high precision.
@pytest.mark.parametrize("rule", ["auto", "simpson", "gauss-2", "gauss-5"])
def test_avf_finds_the_root_of_the_double_well(rule: str) -> None:
    frames = run(double_well(), AVF(rule=rule), 0.04, 1)
    end = frames[-1].state
    assert end.x[0, 0] == pytest.approx(1.101847148927514, rel=1e-13)
    assert end.v[0, 0] == pytest.approx(34.0923574463757, rel=1e-12)
    assert frames[0].ledger.energies.total == pytest.approx(660.9, rel=1e-12)
    assert frames[1].ledger.energies.total == pytest.approx(660.9, rel=1e-12)


@pytest.mark.parametrize("start", np.linspace(-3.0, 3.0, 13))
def test_the_root_is_found_from_anywhere(start: float) -> None:
    """One minimum, found across regions where the curvature is negative."""
    system, state = double_well()
    h, x0 = 0.04, state.x
    target = x0 + h * state.v - h * h / 12 * system.potential.gradient(x0)
    positions = (Sample(h * h / 3, 0.5, x0 / 2), Sample(h * h / 12))
    first = np.array([[start, 0.5, -0.5]])
    x, report = NewtonSolver(system).minimise(system, Stage(h, target, positions, origin=x0, start=first))
    assert x[0, 0] == pytest.approx(1.101847148927514, rel=1e-9)
    assert report.iterations <= 20


def resting_cantilever() -> Setup:
    """A bar that hangs in equilibrium."""
    mesh = Bar(cells=(4, 1, 1), size=(0.8, 0.2, 0.2)).mesh()
    X, mass = mesh.vertices, lumped_mass(mesh, density=500.0)
    terms = [Solid(X, mesh.tets, StVK.from_young(1e6, 0.3)), Gravity(mass, np.array([0.0, -9.81, 0.0]))]
    system = build_system(X, mass, terms, Motion((hold(mesh.group("left"), X),)))
    end = run((system, at_rest(X)), METHODS["quasi-static"](), 1.0, 1, tolerance=1e-12)[-1].state
    return system, at_rest(end.x)


def stages(name: str, frame: Frame) -> int:
    """Stages of a step; the first one of BDF2 is a step of TR-BDF2, which has two."""
    method = METHODS["tr-bdf2" if frame.step == 1 and name.startswith("bdf2") else name]()
    return method.facts.solves


@pytest.mark.parametrize("name", sorted(n for n in METHODS if METHODS[n]().facts.solves and takes_solids(METHODS[n]())))
def test_a_body_at_rest_costs_at_most_one_iteration_a_stage(name: str) -> None:
    system, start = resting_cantilever()
    for frame in run((system, start), METHODS[name](), H, 4)[1:]:
        assert frame.solve.iterations <= stages(name, frame)
    mesh = Bar(cells=(3, 1, 1)).mesh()
    free = build_system(mesh.vertices, np.ones(mesh.n), [Solid(mesh.vertices, mesh.tets, StVK(1e5, 1e5))])
    if name != "quasi-static":
        for frame in run((free, at_rest(mesh.vertices)), METHODS[name](), H, 3)[1:]:
            assert frame.solve.iterations <= stages(name, frame)


def test_the_residual_of_a_loose_solve_explains_the_energy_error() -> None:
    """H1 - H0 = (2/h^2) (x1 - x0) . r for whatever x1 the solver returns."""
    frames = run(twisted_bar(), AVF(), H, 20, tolerance=1e-3, energy_tolerance=1.0)
    H0 = frames[0].ledger.energies.total
    errors = []
    for old, new in pairwise(frames):
        change = new.ledger.energies.total - old.ledger.energies.total
        told = 2 / H**2 * np.vdot(new.state.x - old.state.x, new.solve.residual)
        errors.append(abs(change))
        assert abs(change - told) <= 1e-12 * H0
    assert max(errors) > 1e-8 * H0


def states(setup: Setup, method: Any, steps: int, **options: Any) -> Array:
    return np.stack([f.state.x for f in run(setup, method, H, steps, tolerance=1e-12, **options)])


@pytest.mark.parametrize("method", [BackwardEuler(), METHODS["bdf2"]()], ids=lambda m: m.name)
@pytest.mark.parametrize(
    "options",
    [{"convexify": "projection"}, {"reuse": "always"}, {"linear": "cg"}, {"linear": "ic"}, {"linear": "amg"}],
    ids=["projection", "old factorisations", "conjugate gradients", "incomplete factors", "multigrid"],
)
def test_options_lead_to_the_same_minimum(method: Any, options: dict[str, Any]) -> None:
    plain = states(twisted_bar(), method, 4, convexify="tikhonov", reuse="never")
    np.testing.assert_allclose(states(twisted_bar(), method, 4, **options), plain, rtol=0, atol=1e-9)


def test_conjugate_gradients_need_no_factors_while_the_matrix_is_definite() -> None:
    frames = run(twisted_bar(), BackwardEuler(), 1 / 300, 10, linear="cg", reuse="always")
    assert sum(f.solve.cg_iterations for f in frames) > 10
    assert sum(f.solve.factorisations for f in frames) == 0


def test_old_factorisations_are_really_reused() -> None:
    fresh = run(twisted_bar(), BackwardEuler(), 1 / 300, 10, reuse="never")
    reused = run(twisted_bar(), BackwardEuler(), 1 / 300, 10, reuse="always")
    assert sum(f.solve.cg_iterations for f in fresh) == 0
    assert sum(f.solve.cg_iterations for f in reused) > 0
    assert sum(f.solve.factorisations for f in reused) < 0.5 * sum(f.solve.factorisations for f in fresh)


@pytest.mark.parametrize("backend", ["cholmod", "superlu"])
@pytest.mark.parametrize("method", [BackwardEuler(), AVF()], ids=lambda m: m.name)
def test_backends_take_the_same_step(method: Any, backend: str) -> None:
    wanted = states(twisted_bar(), method, 2, backend="pardiso")
    np.testing.assert_allclose(states(twisted_bar(), method, 2, backend=backend), wanted, rtol=0, atol=1e-9)


def test_a_start_that_is_not_feasible_is_shortened() -> None:
    """x0 + h v0 turns elements inside out, where the logarithm is not defined."""
    system, start = stretched_bar(NeoHookean(500.0, 10.0), cells=(3, 1, 1), stretch=(1.0, 1.0, 1.0))
    fast = State(0.0, start.x, -60.0 * (start.x - start.x.mean(axis=0)))
    guess = fast.x + H * fast.v
    solid = system.potential.terms[0]
    assert np.isposinf(solid.element_values(guess)).any()
    for method in (BackwardEuler(), AVF()):
        for frame in run((system, fast), method, H, 2, max_halvings=0):  # not by smaller steps
            assert np.isfinite(frame.ledger.energies.total)
            assert (np.linalg.det(solid.deformation_gradients(frame.state.x)) > 0).all()


def test_a_stage_that_fails_says_how_far_it_came() -> None:
    system, start = twisted_bar()
    solver = NewtonSolver(system, SolverOptions(max_iterations=1))
    stage = Stage(H, start.x, (Sample(H * H),), origin=start.x, start=start.x)
    with pytest.raises(
        StageNotConverged, match=r"the limit of iterations was reached \(1 iterations.*smaller"
    ) as caught:
        solver.minimise(system, stage)
    report = caught.value.report
    assert report.outcome is Outcome.EXHAUSTED
    assert report.iterations == 1
    assert report.gradient_norm > 1e-9
    assert report.residual.shape == start.x.shape


def test_an_objective_that_is_nowhere_finite_fails_cleanly() -> None:
    system, start = twisted_bar(NeoHookean(1000.0, 500.0))
    flat = start.x * [1.0, 0.0, 1.0]
    stage = Stage(H, flat, (Sample(H * H),), origin=flat, start=flat)
    with pytest.raises(StageNotConverged, match="not finite at the start") as caught:
        NewtonSolver(system).minimise(system, stage)
    assert caught.value.report.outcome is Outcome.NOT_FINITE


class Overflowing(Gravity):
    """A term whose second derivatives are not finite."""

    def add_hessian(self, samples: Samples, place: Placement, values: np.ndarray, project: bool = False) -> None:
        values += np.inf


def test_second_derivatives_that_are_not_finite_fail_cleanly() -> None:
    x = np.ones((1, 3))
    system = build_system(x, np.ones(1), [Overflowing(np.ones(1), np.array([0.0, -1.0, 0.0]))])
    stage = Stage(H, x, (Sample(H * H),), origin=x, start=x)
    with pytest.raises(StageNotConverged, match="second derivatives are not finite") as caught:
        NewtonSolver(system).minimise(system, stage)
    assert caught.value.report.outcome is Outcome.OVERFLOW


class Ridge(EnergyTerm):
    """V = |x| + y^2/2 of one vertex: its slope jumps at x = 0, where the minimum is."""

    elements = np.zeros((1, 1), np.int32)

    def element_values(self, x: Array) -> Array:
        return np.array([abs(x[0, 0]) + x[0, 1] ** 2 / 2])

    def element_gradients(self, x: Array) -> Array:
        return np.array([[[np.copysign(1.0, x[0, 0]), x[0, 1], 0.0]]])

    def element_hessians(self, x: Array) -> Array:
        return np.diag([0.0, 1.0, 0.0])[None]


def test_a_search_that_stands_still_at_a_kink_ends_soon() -> None:
    x = np.array([[0.3, 0.2, 0.0]])
    system = build_system(x, np.ones(1), [Ridge()])
    stage = Stage(1.0, x, (Sample(1.0),), origin=x, start=x)
    with pytest.raises(StageNotConverged, match="hardly any progress") as caught:
        NewtonSolver(system).minimise(system, stage)
    assert caught.value.report.outcome is Outcome.SLOW
    assert caught.value.report.iterations < 50


def test_rules_of_many_points_count_as_more_work() -> None:
    system, start = twisted_bar()
    efforts = []
    for count in (1, 4, 5, 24):
        samples = tuple(Sample(H * H / count, k / count, (1.0 - k / count) * start.x) for k in range(1, count + 1))
        efforts.append(StageObjective(system, Stage(H, start.x, samples, origin=start.x, start=start.x)).effort)
    assert efforts == [1, 1, 2, 6]
    with counted(Work(0, 10**6)) as work:
        report = SolveReport()
        report.iterated(3)
        report.searched(2, effort=3)
    assert work.done == 36
    assert (report.iterations, report.line_search_steps) == (1, 2)


def test_reports_add_up() -> None:
    frames = run(twisted_bar(), METHODS["tr-bdf2"](), H, 2)
    for frame in frames[1:]:
        assert frame.solve.outcome is Outcome.CONVERGED
        assert frame.solve.factorisations >= frame.solve.iterations >= 2
        assert frame.solve.line_search_steps >= frame.solve.iterations
        assert frame.solve.gradient_norm <= 1e-9
