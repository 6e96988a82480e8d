"""Preconditioners: symmetric and definite maps, few iterations, honest breakdown, whatever the units."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

from builders import dense
from supple.constraints.motion import Hold, Motion, Prescribed
from supple.dynamics.system import System, build_system
from supple.energies.samples import one_sample
from supple.energies.solids.solid import Solid
from supple.errors import NotPositiveDefinite
from supple.linalg.factors.factorisation import best_backend
from supple.linalg.krylov import preconditioned_cg, symmetric_product
from supple.linalg.pattern import SymmetricPattern
from supple.linalg.precond import multigrid
from supple.linalg.precond.aggregates import rigid_modes
from supple.linalg.precond.blocks import Blocks
from supple.linalg.precond.diagonal import DiagonalBlocks
from supple.linalg.precond.factors import OldFactors
from supple.linalg.precond.incomplete import IncompleteCholesky
from supple.linalg.precond.multigrid import Multigrid
from supple.materials.stvk import StVK
from supple.mesh.measure import lumped_mass
from supple.mesh.shapes.solid import Bar
from supple.types import Array


def stiff_bar(cells: tuple[int, int, int] = (8, 3, 3), units: float = 1.0) -> tuple[System, Array, Array]:
    """System, entries of its matrix for a long step, and places of its unknowns."""
    mesh = Bar(cells=cells, size=(4.0, 1.0, 1.0)).mesh()
    X, mass, held = mesh.vertices, lumped_mass(mesh, density=1000.0), mesh.groups["left"]
    term = Solid(X, mesh.tets, StVK.from_young(1e6, 0.4))
    system = build_system(X, mass, [term], Motion((Prescribed(held, X[held].copy(), Hold()),)))
    values = np.zeros(system.pattern.nnz)
    values[system.pattern.diagonal] = 100.0 * system.unknown_mass
    system.potential.add_hessian(one_sample(X), values)
    return system, units * values, X[system.free]


MAKERS: dict[str, Callable[[SymmetricPattern], Any]] = {
    "blocks": DiagonalBlocks,
    "ic": IncompleteCholesky,
    "amg": Multigrid,
    "double": lambda pattern: OldFactors(pattern, "auto"),
    "single": lambda pattern: OldFactors(pattern, "auto", single=True),
}


@pytest.fixture(autouse=True)
def _several_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(multigrid, "COARSEST", 60)


def test_blocks_are_those_of_the_matrix() -> None:
    from scipy.sparse import bsr_matrix

    system, values, _ = stiff_bar((3, 2, 2))
    whole = bsr_matrix(Blocks(system.pattern).whole(values)).toarray()
    assert np.array_equal(whole, dense(system, values))


@pytest.mark.parametrize("name", MAKERS)
@pytest.mark.parametrize("units", [1.0, 1e-40, 1e40])
def test_maps_are_symmetric_and_definite(name: str, units: float) -> None:
    system, values, places = stiff_bar(units=units)
    made = MAKERS[name](system.pattern)
    made.renew(values, places)
    rng = np.random.default_rng(1)
    vectors = rng.standard_normal((4, system.pattern.unknowns))
    images = np.stack([made.solve(v) for v in vectors]) * units
    gram = vectors @ images.T
    assert np.abs(gram - gram.T).max() < 1e-5 * np.abs(gram).max()
    assert np.linalg.eigvalsh(0.5 * (gram + gram.T))[0] > 0.0
    made.close()


@pytest.mark.parametrize(("name", "most"), [("blocks", 400), ("ic", 70), ("amg", 16), ("double", 1), ("single", 3)])
def test_conjugate_gradients_find_the_solution(name: str, most: int) -> None:
    if name == "single" and best_backend() != "pardiso":
        most = 1
    system, values, places = stiff_bar((16, 5, 5))
    made = MAKERS[name](system.pattern)
    made.renew(values, places)
    p, rhs = system.pattern, np.random.default_rng(2).standard_normal(system.pattern.unknowns)
    result = preconditioned_cg(lambda x: symmetric_product(p.indptr, p.indices, values, x), made.solve, rhs, 1e-8, 2000)
    assert result.x is not None
    assert result.iterations <= most
    assert np.linalg.norm(symmetric_product(p.indptr, p.indices, values, result.x) - rhs) < 2e-8 * np.linalg.norm(rhs)
    made.close()


def test_iterations_of_multigrid_do_not_grow_with_the_body() -> None:
    counts = []
    for cells in ((8, 3, 3), (16, 6, 6), (32, 10, 10)):
        system, values, places = stiff_bar(cells)
        made, p = Multigrid(system.pattern), system.pattern
        made.renew(values, places)
        rhs = np.tile([0.0, 0.0, 1.0], p.n)
        product = partial(symmetric_product, p.indptr, p.indices, values)
        counts.append(preconditioned_cg(product, made.solve, rhs, 1e-6, 100).iterations)
    assert counts[-1] <= counts[0] + 4


@pytest.mark.parametrize("name", MAKERS)
def test_an_indefinite_diagonal_is_refused_and_another_matrix_taken(name: str) -> None:
    system, values, places = stiff_bar()
    made = MAKERS[name](system.pattern)
    bad = values.copy()
    bad[system.pattern.diagonal[:3]] *= -1.0
    with pytest.raises(NotPositiveDefinite):
        made.renew(bad, places)
    made.renew(values, places)
    assert np.isfinite(made.solve(np.ones(system.pattern.unknowns))).all()
    made.close()


def test_incomplete_factors_that_break_down_lean_on_the_diagonal() -> None:
    """A definite matrix of strong couplings: no block of its diagonal fails, but pivots do."""
    system, values, places = stiff_bar()
    weak = values.copy()
    weak[system.pattern.diagonal] *= 0.45
    lowest = np.linalg.eigvalsh(dense(system, weak))[0]
    assert lowest < 0.0  # not even definite: the preconditioner still is
    made = IncompleteCholesky(system.pattern)
    made.renew(weak, places)
    rhs = np.random.default_rng(3).standard_normal(system.pattern.unknowns)
    assert rhs @ made.solve(rhs) > 0.0


def test_rigid_modes_strain_nothing() -> None:
    system, _, _ = stiff_bar((3, 2, 2))
    mesh = Bar(cells=(3, 2, 2), size=(4.0, 1.0, 1.0)).mesh()
    free = build_system(mesh.vertices, system.mass, [Solid(mesh.vertices, mesh.tets, StVK.from_young(1e6, 0.4))])
    values = np.zeros(free.pattern.nnz)
    free.potential.add_hessian(one_sample(mesh.vertices), values)
    K, modes = dense(free, values), rigid_modes(mesh.vertices).reshape(-1, 6)
    assert np.abs(K @ modes).max() < 1e-9 * np.abs(K).max()
    assert np.linalg.matrix_rank(modes) == 6
