"""The objective of a stage: a wrong Hessian there would only slow Newton down, so that no trajectory would show it."""

from dataclasses import replace

import numpy as np
import pytest

from builders import dense, hold, random_tets, zero_length_springs
from supple.constraints.motion import Motion
from supple.constraints.scripts import Translate
from supple.dynamics.stage import ModalEqualities, Sample, Stage, StageObjective
from supple.dynamics.system import System, build_system
from supple.energies.gravity import Gravity
from supple.energies.solids.solid import Solid
from supple.energies.springs.springs import StVKSprings
from supple.errors import SuppleError
from supple.materials.stvk import StVK
from supple.mesh.topology import unique_edges
from supple.solvers.modes import lowest_modes
from supple.solvers.newton import NewtonSolver
from supple.solvers.options import SolverOptions

RNG = np.random.default_rng(4)
MESH = random_tets(2, cells=(2, 1, 1))
X = MESH.vertices
NOISE = [RNG.uniform(-0.1, 0.1, X.shape) for _ in range(6)]


def system() -> System:
    mass = np.linspace(0.5, 1.5, MESH.n)
    terms = [
        Solid(X, MESH.tets, StVK(80.0, 40.0)),
        StVKSprings(X, unique_edges(MESH.tets), 5.0),
        Gravity(mass, np.array([0.0, -9.8, 1.0])),
    ]
    motion = Motion((hold([0, 3], X), hold([5], X, Translate((0.2, 0.0, -0.1)))))
    return build_system(X, mass, terms, motion, [zero_length_springs(MESH, 0.7)])


STAGES = {
    "several samples of both kinds": Stage(
        time=0.3,
        target=X + NOISE[0],
        positions=(Sample(0.02, 0.3, 0.7 * X), Sample(0.05, 1.0), Sample(0.01, 0.5, 0.5 * X + NOISE[1])),
        velocities=(Sample(0.03, 20.0, -20.0 * X), Sample(0.01, 7.0, -7.0 * X + NOISE[2])),
        origin=X,
        start=X,
    ),
    "position samples only": Stage(
        time=0.3, target=X, positions=(Sample(0.02, 0.3, 0.7 * X), Sample(0.05)), origin=X, start=X
    ),
    "velocity samples only": Stage(
        time=0.3, target=X, positions=(), velocities=(Sample(0.03, 20.0, -20.0 * X),), origin=X, start=X
    ),
    "quasi-static": Stage(time=0.3, target=X, positions=(Sample(1.0),), origin=X, start=X, inertia=0.0),
}


def direction(s: System, seed: int) -> np.ndarray:
    """A random move of the free vertices."""
    d = np.zeros_like(X)
    d[s.free] = np.random.default_rng(seed).uniform(-0.1, 0.1, (len(s.free), 3))
    return d


def difference(function, x: np.ndarray, d: np.ndarray, eps: float = 1e-2):
    """Derivative along d by central differences of sixth order."""
    steps = {1: 45.0, 2: -9.0, 3: 1.0}
    return sum(c * (function(x + k * eps * d) - function(x - k * eps * d)) for k, c in steps.items()) / (60 * eps)


@pytest.mark.parametrize("name", STAGES)
def test_gradient_is_the_derivative_of_the_value(name: str) -> None:
    s = system()
    objective = StageObjective(s, STAGES[name])
    x = objective.place(X + NOISE[3])
    now = objective.evaluate(x)
    assert np.abs(now.gradient).max() > 1e-3
    for seed in range(3):
        d = direction(s, seed)
        wanted = difference(lambda y: objective.evaluate(y).value, x, d)
        assert np.vdot(now.gradient, d) == pytest.approx(wanted, rel=1e-9, abs=1e-10 * now.scale)


@pytest.mark.parametrize("name", STAGES)
def test_hessian_is_the_derivative_of_the_gradient(name: str) -> None:
    s = system()
    objective = StageObjective(s, STAGES[name])
    x = objective.place(X + NOISE[4])
    values = np.full(s.pattern.nnz, np.nan)  # whatever was there is overwritten
    objective.hessian(x, values)
    K = dense(s, values)
    assert np.abs(K).max() > 1e-2
    for seed in range(3):
        d = direction(s, seed)
        wanted = difference(lambda y: objective.evaluate(y).gradient, x, d)[s.free]
        np.testing.assert_allclose((K @ d[s.free].ravel()).reshape(-1, 3), wanted, rtol=0, atol=1e-9 * np.abs(K).max())


def test_value_follows_the_formula() -> None:
    s, stage = system(), STAGES["several samples of both kinds"]
    objective = StageObjective(s, stage)
    x = objective.place(X + NOISE[5])
    d = (x - stage.target)[s.free]
    wanted = 0.5 * np.sum(s.mass[s.free][:, None] * d**2)
    for sample in stage.positions:
        y = sample.scale * x + (0.0 if sample.offset is None else sample.offset)
        wanted += sample.weight / sample.scale * sum(s.potential.by_group(y).values())
    for sample in stage.velocities:
        y = sample.scale * x + sample.offset
        wanted += sample.weight / sample.scale * sum(s.dissipation.frozen.by_group(y).values())
    now = objective.evaluate(x)
    assert now.value == pytest.approx(wanted, rel=1e-13)
    assert now.magnitude >= abs(now.value)
    assert now.scale >= np.abs(s.mass[s.free][:, None] * d).max()


def test_prescribed_vertices_carry_no_gradient_and_follow_their_script() -> None:
    s = system()
    objective = StageObjective(s, STAGES["several samples of both kinds"])
    x = objective.place(X + NOISE[5])
    np.testing.assert_allclose(x[5], X[5] + 0.3 * np.array([0.2, 0.0, -0.1]))
    assert np.array_equal(x[[0, 3]], X[[0, 3]])
    assert np.array_equal(objective.evaluate(x).gradient[[0, 3, 5]], np.zeros((3, 3)))


def test_projected_hessian_is_positive_where_the_plain_one_is_not() -> None:
    s = system()
    objective = StageObjective(s, STAGES["quasi-static"])
    x = objective.place(0.5 * X)
    plain, projected = np.zeros((2, s.pattern.nnz))
    objective.hessian(x, plain)
    objective.hessian(x, projected, project=True)
    assert np.linalg.eigvalsh(dense(s, plain))[0] < -1.0
    assert np.linalg.eigvalsh(dense(s, projected))[0] > -1e-10


@pytest.mark.parametrize("bad", [0.0, -1.0, np.nan, np.inf])
def test_masses_must_be_positive(bad: float) -> None:
    mass = np.ones(MESH.n)
    mass[[4, 6]] = bad
    with pytest.raises(SuppleError, match="2 vertices do not have a positive mass, the first is vertex 4"):
        build_system(X, mass, [])


def test_equalities_confine_the_search_to_the_complement_of_the_modes() -> None:
    s = system()
    modes = lowest_modes(s, X, 4)
    held = ModalEqualities(modes.vectors, np.array([0.3, -0.1, 0.2, 0.0]))
    stage = replace(STAGES["several samples of both kinds"], equalities=held)
    objective = StageObjective(s, stage)
    x = objective.place(X + NOISE[3])
    weighted = s.mass[:, None] * modes.vectors
    np.testing.assert_allclose(np.tensordot(weighted, x, 2), held.values, rtol=0, atol=1e-12)
    now = objective.evaluate(x)
    assert np.abs(np.tensordot(modes.vectors, now.gradient, 2)).max() <= 1e-12
    d = direction(s, 1)
    d -= np.tensordot(np.tensordot(weighted, d, 2), modes.vectors, 1)
    wanted = difference(lambda y: objective.evaluate(y).value, x, d)
    assert np.vdot(now.gradient, d) == pytest.approx(wanted, rel=1e-9)

    x1, report = NewtonSolver(s, SolverOptions(tolerance=1e-12)).minimise(s, stage)
    np.testing.assert_allclose(np.tensordot(weighted, x1, 2), held.values, rtol=0, atol=1e-12)
    free = StageObjective(s, replace(stage, equalities=None)).evaluate(x1)
    multipliers = np.tensordot(modes.vectors, free.gradient, 2)
    assert np.abs(multipliers).max() > 1e-3
    np.testing.assert_allclose(free.gradient, np.tensordot(multipliers, weighted, 1), rtol=0, atol=1e-10)
    assert report.iterations <= 8  # quadratic: the direction solves the constrained system, not a projected one


def test_samples_are_kept_for_one_configuration_only() -> None:
    s, stage = system(), STAGES["several samples of both kinds"]
    kept = StageObjective(s, stage)
    x = kept.place(stage.start).copy()
    values, expected = np.empty(s.pattern.nnz), np.empty(s.pattern.nnz)
    for _ in range(2):
        kept.evaluate(x)
        x += 0.01  # the same array with other numbers
        kept.hessian(x, values)
        fresh = StageObjective(s, stage)
        fresh.hessian(x, expected)
        assert np.array_equal(values, expected)
        assert np.array_equal(kept.evaluate(x).gradient, fresh.evaluate(x).gradient)
