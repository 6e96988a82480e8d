"""The root finder: equations that are no gradients, products beside the matrix, rounding error, honest failure."""

from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np
import pytest

from builders import hold, random_tets, twisted_bar
from supple.constraints.motion import Motion
from supple.dynamics.equation import Jacobian, MeanForceEquation, Residual
from supple.dynamics.mean_gradient import ElementMean, WholeMean
from supple.dynamics.system import System, build_system
from supple.energies.solids.solid import Solid
from supple.errors import StageNotConverged, StepRejected
from supple.linalg.pattern import symmetric_pattern
from supple.linalg.square import both_halves, square_pattern, sum_at_vertices
from supple.materials.stvk import StVK
from supple.solvers.options import SolverOptions
from supple.solvers.report import Outcome
from supple.solvers.root import RootSolver
from supple.solvers.tools import StepTools
from supple.types import Array

RNG = np.random.default_rng(0)
MESH = random_tets(cells=(2, 1, 1))


def body(held: int = 0) -> System:
    motion = Motion((hold(range(held), MESH.vertices),)) if held else Motion()
    return build_system(
        MESH.vertices, np.linspace(1.0, 3.0, MESH.n), [Solid(MESH.vertices, MESH.tets, StVK(1.0, 1.0))], motion
    )


@dataclass
class Twisted:
    """M x + sum of element matrices x + a (b . x) + c |x|^2 x = rhs, with matrices that are far from symmetric."""

    system: System
    product: bool = True
    cubic: float = 0.0
    seen: list[Array] = field(default_factory=list)

    def __post_init__(self) -> None:
        rng = np.random.default_rng(5)
        n, self.elements = self.system.n, self.system.potential.terms[0].elements
        self.matrices = 0.3 * rng.standard_normal((len(self.elements), 12, 12))
        self.a, self.b, self.rhs = rng.standard_normal((3, n, 3))
        self.free = np.zeros((n, 1))
        self.free[self.system.free] = 1.0
        self.start = self.origin = np.zeros((n, 3))

    def place(self, x: Array) -> Array:
        return self.system.motion.place(x, 0.0)

    def max_step(self, x: Array, p: Array) -> float:
        return np.inf

    def residual(self, x: Array) -> Residual:
        self.seen.append(x)
        inner = np.einsum("mij,mj->mi", self.matrices, x[self.elements].reshape(-1, 12))
        parts = [self.system.mass[:, None] * x, sum_at_vertices(self.elements, inner, len(x)), -self.rhs]
        parts.append(self.cubic * np.einsum("ij,ij->i", x, x)[:, None] * x)
        if self.product:
            parts.append(self.a * np.vdot(self.b, x * self.free))
        return Residual(sum(parts) * self.free, max(float(np.abs(p).max()) for p in parts))

    def jacobian(self, x: Array) -> Jacobian:
        grown = self.cubic * (
            np.einsum("ij,ij->i", x, x)[:, None, None] * np.eye(3) + 2 * x[:, :, None] * x[:, None, :]
        )
        own = np.arange(len(x), dtype=np.int32)[:, None]
        blocks = ((self.elements, self.matrices), (own, grown))
        return Jacobian(self.system.mass, blocks, ((self.a, self.b),) if self.product else ())


def difference(equation: MeanForceEquation, x: Array, d: Array, eps: float = 1e-4) -> Array:
    steps = {1: 45.0, 2: -9.0, 3: 1.0}
    return sum(
        c * (equation.residual(x + k * eps * d).vector - equation.residual(x - k * eps * d).vector)
        for k, c in steps.items()
    ) / (60 * eps)


def times(system: System, jacobian: Jacobian, d: Array) -> Array:
    """Jacobian times d, which is zero at held vertices."""
    out = jacobian.diagonal[:, None] * d
    pattern, moved = square_pattern(system.pattern), d[system.free].ravel()
    halves = None if jacobian.symmetric is None else jacobian.symmetric[both_halves(system.pattern)]
    for values in (halves, jacobian.square):
        if values is not None:
            out[system.free] += pattern.product(values, moved, 2).reshape(-1, 3)
    for elements, matrices in jacobian.blocks:
        moved = np.einsum("mij,mj->mi", matrices, d[elements].reshape(len(elements), -1))
        out = out + sum_at_vertices(elements, moved, len(d))
    for a, b in jacobian.products:
        out = out + a * np.vdot(b, d)
    return out


@pytest.mark.parametrize("held", [0, 3])
def test_square_matrices_equal_dense_assembly(held: int) -> None:
    system = body(held)
    unknowns = np.full(system.n, -1, np.int32)
    unknowns[system.free] = np.arange(len(system.free))
    elements = unknowns[system.potential.terms[0].elements]
    pattern = square_pattern(system.pattern)
    matrices, diagonal = RNG.standard_normal((len(elements), 12, 12)), RNG.standard_normal(3 * pattern.n)
    values = pattern.assemble(diagonal, [(elements, matrices)])
    rows = np.repeat(np.arange(3 * pattern.n), np.diff(pattern.indptr))
    got = np.zeros((3 * pattern.n, 3 * pattern.n))
    got[rows, pattern.indices] = values
    wanted = np.diag(diagonal)
    for corners, matrix in zip(elements, matrices, strict=True):
        for p, i in enumerate(corners):
            for q, j in enumerate(corners):
                if i >= 0 and j >= 0:
                    wanted[3 * i : 3 * i + 3, 3 * j : 3 * j + 3] += matrix[3 * p : 3 * p + 3, 3 * q : 3 * q + 3]
    np.testing.assert_allclose(got, wanted, rtol=0, atol=1e-13)
    assert np.array_equal(values[pattern.diagonal], np.diag(got))
    assert all((np.diff(pattern.indices[a:b]) > 0).all() for a, b in pairwise(pattern.indptr))
    assert pattern.nnz == 2 * system.pattern.nnz - 3 * pattern.n


def test_a_body_without_unknowns_has_an_empty_matrix() -> None:
    pattern = square_pattern(symmetric_pattern(0, []))
    assert pattern.nnz == 0
    assert pattern.assemble(np.empty(0), []).size == 0


@pytest.mark.parametrize("product", [False, True], ids=["matrix", "matrix and product"])
@pytest.mark.parametrize("held", [0, 3])
def test_a_linear_equation_takes_one_or_two_iterations(held: int, product: bool) -> None:
    equation = Twisted(body(held), product)
    x, report = RootSolver(equation.system, SolverOptions()).solve(equation)
    residual = equation.residual(x)
    assert np.abs(residual.vector).max() <= 1e-13 * residual.scale
    assert np.abs(x[equation.system.free]).max() > 0.1
    assert np.array_equal(x[:held], MESH.vertices[:held])
    # the second only finds that there is nothing left to gain
    assert 1 <= report.iterations <= 2
    assert report.factorisations == report.iterations
    assert report.outcome is Outcome.CONVERGED
    assert np.array_equal(report.residual, residual.vector)


@pytest.mark.parametrize("product", [False, True])
def test_convergence_is_quadratic(product: bool) -> None:
    equation = Twisted(body(), product, cubic=0.2)
    x, report = RootSolver(equation.system, SolverOptions()).solve(equation)
    assert report.iterations <= 12
    sizes = [float(np.abs(y - x).max()) for y in equation.seen if 1e-7 < np.abs(y - x).max() < 1e-1]
    assert len(sizes) >= 2
    assert all(new <= 20 * old**2 for old, new in pairwise(sizes))


def test_solves_do_not_depend_on_earlier_ones() -> None:
    one, two = Twisted(body(), cubic=0.2), Twisted(body(), product=False, cubic=1.0)
    fresh, _ = RootSolver(one.system, SolverOptions()).solve(one)
    used = RootSolver(one.system, SolverOptions())
    used.solve(two)
    again, _ = used.solve(one)
    assert np.array_equal(again, fresh)


def test_tools_count_what_roots_cost() -> None:
    equation = Twisted(body(), cubic=0.2)
    tools = StepTools(equation.system)
    tools.root(equation)
    once = tools.report.iterations
    assert once > 2
    tools.root(equation)
    assert tools.report.iterations == tools.report.factorisations == 2 * once
    assert 0 < tools.report.gradient_norm <= 1e-9
    tools.close()


class NoRoot(Twisted):
    """|x|^2 + 1 = 0 in the first entry."""

    def residual(self, x: Array) -> Residual:
        vector = x.copy()
        vector[0, 0] = x[0, 0] ** 2 + 1.0
        return Residual(vector, 1.0)

    def jacobian(self, x: Array) -> Jacobian:
        diagonal = np.ones(len(x))
        own = np.zeros((1, 1), np.int32)
        return Jacobian(diagonal, ((own, np.diag([2 * x[0, 0] - 1.0, 0.0, 0.0])[None]),))


def test_without_a_root_the_search_says_so() -> None:
    equation = NoRoot(body())
    equation.start = equation.origin = np.full((MESH.n, 3), 0.7)
    tools = StepTools(equation.system, SolverOptions(max_iterations=30))
    with pytest.raises(StageNotConverged, match=r"an equation was not solved: .*relative residual 1\.0e\+00") as caught:
        tools.root(equation)
    report = caught.value.report
    assert report.outcome in {Outcome.STALLED, Outcome.EXHAUSTED}
    assert report.residual[0, 0] >= 1.0
    assert tools.report.iterations == report.iterations > 0
    assert tools.report.gradient_norm == 0.0


class Walled(Twisted):
    """Not defined beyond |x| = limit: there it refuses or gives nothing that is a number."""

    limit = 1.0
    refuses = True

    def residual(self, x: Array) -> Residual:
        if np.abs(x).max() > self.limit:
            if self.refuses:
                raise StepRejected("beyond the wall")
            return Residual(np.full_like(x, np.inf), 1.0)
        return super().residual(x)


@pytest.mark.parametrize("refuses", [True, False])
def test_a_start_beyond_the_wall_is_shortened(refuses: bool) -> None:
    equation = Walled(body(), product=False)
    wanted, _ = RootSolver(equation.system, SolverOptions()).solve(Twisted(body(), product=False))
    equation.limit, equation.refuses = 1.01 * float(np.abs(wanted).max()), refuses
    equation.start = np.full_like(wanted, 100.0)
    found, report = RootSolver(equation.system, SolverOptions()).solve(equation)
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-12)
    assert report.outcome is Outcome.CONVERGED


def test_an_equation_that_is_nowhere_defined_fails_cleanly() -> None:
    equation = Walled(body())
    equation.limit = -1.0
    with pytest.raises(StageNotConverged, match="not finite at the start") as caught:
        RootSolver(equation.system, SolverOptions()).solve(equation)
    assert caught.value.report.outcome is Outcome.NOT_FINITE


@pytest.mark.parametrize("kind", ["elements", "mass", "identity"])
def test_jacobians_of_steps(kind: str) -> None:
    system, state = twisted_bar()
    h = 1 / 30
    metric = system.mass if kind == "mass" else np.ones(system.n)
    mean = ElementMean(system, state.x) if kind == "elements" else WholeMean(system, state.x, metric)
    equation = MeanForceEquation(system, state, h, mean)
    rng = np.random.default_rng(1)
    x = equation.place(state.x + 0.05 * rng.standard_normal(state.x.shape))
    d = np.zeros_like(x)
    d[system.free] = 0.1 * rng.standard_normal((len(system.free), 3))
    jacobian = equation.jacobian(x)
    wanted = difference(equation, x, d)
    found = times(system, jacobian, d)
    assert (not jacobian.products) == (kind == "elements")
    np.testing.assert_allclose(found[system.free], wanted[system.free], rtol=0, atol=1e-9 * np.abs(wanted).max())
    energy = [sum(system.potential.by_group(y).values()) for y in (state.x, x)]
    along = float(np.vdot(sum(mean.parts(x)), x - state.x))
    assert along == pytest.approx(energy[1] - energy[0], rel=1e-12)


@dataclass
class Meeting(Twisted):
    """Two vertices without a common element touch in a search whose first Jacobians lead uphill, so it is repeated."""

    asked: int = 0

    def jacobian(self, x: Array) -> Jacobian:
        found = super().jacobian(x)
        self.asked += 1
        sign = -1.0 if self.asked < 3 else 1.0
        blocks = tuple((elements, sign * matrices) for elements, matrices in found.blocks)
        far = np.array([[0, self.system.n - 1]], dtype=np.int32)
        couplings = ((far, np.zeros((1, 6, 6))),) if sign > 0.0 else ()
        return replace(found, diagonal=sign * found.diagonal, blocks=blocks, couplings=couplings)


def test_contact_in_a_repeated_search_leaves_factors_for_later_ones() -> None:
    """Without them, all later searches would factorise, but those of a restored solver would not."""
    equation, options = Meeting(body(), product=False), SolverOptions(reuse="always")
    solver = RootSolver(equation.system, options)
    solver.solve(equation)
    memory = solver.memory()
    assert equation.asked >= 3
    assert memory["grown"].size
    assert memory["factored"].size
    restored = RootSolver(equation.system, options)
    restored.restore(memory)
    (x, one), (y, two) = (each.solve(Twisted(equation.system, product=False)) for each in (solver, restored))
    assert one.factorisations == two.factorisations
    np.testing.assert_array_equal(x, y)
