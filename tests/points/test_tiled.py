"""Implicit steps without a matrix: the same forces and stiffness as cells have, the same steps, the same bits."""

import numpy as np
import pytest
from swarms import FLOWING, SOLIDS, STVK, block, strained

from supple.dynamics.system import System, build_system
from supple.energies.points.point_solid import PointSolid
from supple.energies.samples import Samples
from supple.integrators.implicit.avf import AVF
from supple.integrators.points.grid_step import node_terms
from supple.integrators.points.mpm import Mpm
from supple.linalg.krylov import symmetric_product
from supple.linalg.threads import threads, use_threads
from supple.loop import simulate
from supple.materials.material import Material
from supple.points.cloud import Cloud
from supple.points.grid import Grid, lay_grid
from supple.points.spline import Degree, Spline
from supple.points.tiled.solid import TiledSolid
from supple.solvers import matrix_free
from supple.solvers.tools import StepTools
from supple.types import Array


def on_nodes(material: Material, degree: Degree) -> tuple[System, Grid, Samples]:
    """Strained particles seen from their nodes, of which some have moved."""
    system, state = block(material, gravity=False)
    grid = lay_grid(Spline(degree, 0.1), state.x)
    matter = strained(system.n, history=system.clouds[0].remembers)
    nodes = build_system(grid.nodes, np.ones(len(grid.nodes)), node_terms(system, grid, matter))
    rng = np.random.default_rng(3)
    x = grid.nodes + 2e-3 * rng.standard_normal((2, *grid.nodes.shape))
    return nodes, grid, Samples(x, np.array([0.3, 0.7]), np.array([0.4, 0.5]), np.array([0.2, 0.8]))


@pytest.mark.parametrize("material", [*SOLIDS, FLOWING[3]], ids=lambda m: m.name)
@pytest.mark.parametrize("degree", [2, 3])
def test_the_same_forces_and_stiffness_as_cells(material: Material, degree: Degree) -> None:
    nodes, grid, samples = on_nodes(material, degree)
    (term,) = nodes.potential.terms
    assert isinstance(term, TiledSolid)
    parts = nodes.potential._places[0].parts
    found, wanted = np.zeros_like(grid.nodes), np.zeros_like(grid.nodes)
    energy = term.add_value_gradient(samples, parts, found)
    assert energy == pytest.approx(PointSolid.add_value_gradient(term, samples, parts, wanted), rel=1e-13)
    assert np.abs(found - wanted).max() < 1e-12 * np.abs(wanted).max()
    pattern = nodes.pattern
    values = np.zeros(pattern.nnz)
    nodes.potential.add_hessian(samples, values)
    p = np.random.default_rng(4).standard_normal(grid.nodes.shape)
    stiffness = term.linear_map(samples)
    product = symmetric_product(pattern.indptr, pattern.indices, values, p.ravel()).reshape(-1, 3)
    assert np.abs(stiffness.times(p) - product).max() < 1e-6 * np.abs(product).max()  # single precision
    diagonal = np.einsum("nii->ni", stiffness.blocks()).ravel()
    assert np.abs(diagonal - values[pattern.diagonal]).max() < 1e-6 * values[pattern.diagonal].max()
    moves = stiffness.times(np.ones_like(p))
    assert np.abs(moves).max() < 1e-12 * np.abs(product).max()


def steps(system: System, start: object, **options: object) -> tuple[Array, int, int]:
    """Positions after two steps of AVF, and the statistics of the last one."""
    system = build_system(start.x, system.mass, [], clouds=system.clouds, solver=options)  # type: ignore[attr-defined]
    *_, end = simulate(system, Mpm(AVF(), cell=0.1), start, 4e-3, 2, StepTools(system))  # type: ignore[arg-type]
    assert abs(end.ledger.grid.force) < 1e-13 * end.ledger.initial
    return end.state.x, end.solve.cg_iterations, end.solve.factorisations


def test_no_matrix_is_laid_out_unless_iterations_give_up(monkeypatch: pytest.MonkeyPatch) -> None:
    system, state = block(gravity=False, speed=0.05)
    free, iterations, factors = steps(system, state)
    assert iterations > 0 == factors
    direct, iterations, factors = steps(system, state, reuse="never")
    assert iterations == 0 < factors
    monkeypatch.setattr(matrix_free, "LIMIT", 1)
    given_up, _, factors = steps(system, state)
    assert factors > 0
    for other in (direct, given_up):
        assert np.abs(free - other).max() < 1e-10


def test_two_clouds_that_share_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    one, state = block(STVK, gravity=False, speed=0.05)
    left = np.flatnonzero(state.x[:, 0] < 0.125)
    sides = (left, np.setdiff1d(np.arange(one.n), left))
    volume = one.clouds[0].volume
    halves = [Cloud(side, volume[side], m) for side, m in zip(sides, (STVK, SOLIDS[1]), strict=True)]
    system = build_system(state.x, one.mass, [], clouds=halves)
    free, _, factors = steps(system, state)
    assert factors == 0
    direct, _, _ = steps(system, state, reuse="never")
    assert np.abs(free - direct).max() < 1e-10


def test_the_same_bits_for_any_number_of_threads() -> None:
    before, ends = threads(), []
    try:
        for count in (1, 2):
            system, state = block(side=12, spacing=0.02, gravity=True)
            use_threads(count)
            ends.append(list(simulate(system, Mpm(AVF(), cell=0.04), state, 2e-3, 2))[-1])
    finally:
        use_threads(before)
    assert (ends[0].state.x == ends[1].state.x).all()
    assert (ends[0].state.v == ends[1].state.v).all()
    assert ends[0].ledger == ends[1].ledger


def test_matter_is_seen_as_it_lies() -> None:
    """Particles in any order: rows go to their blocks and back."""
    rng = np.random.default_rng(5)
    x = rng.random((300, 3)) - 0.4
    grid, order = lay_grid(Spline(2, 0.1), x), rng.permutation(300)
    mixed = lay_grid(Spline(2, 0.1), x[order])
    field = rng.standard_normal(grid.nodes.shape)
    for one, two in zip(grid.seen(field), mixed.seen(field), strict=True):
        assert np.abs(one[order] - two).max() < 1e-13
    g = rng.standard_normal(x.shape)
    assert np.abs(grid.pulled(g) - mixed.pulled(g[order])).max() < 1e-13
    assert np.abs(grid.pulled(g).sum(axis=0) - g.sum(axis=0)).max() < 1e-12
    assert float((grid.pulled(g) * field).sum()) == pytest.approx(float((g * grid.mean(field)).sum()), rel=1e-12)
