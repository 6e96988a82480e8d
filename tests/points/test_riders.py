"""Meshes that ride on the grid: derivatives through the nodes, the ledger, exact steps, and a cloth that catches particles."""

import numpy as np
import pytest
from matrices import from_elements, from_loops
from riding import cloth_terms, cloth_under_cloud, jelly_on_cloud, sheet
from swarms import FLOWING, SOLIDS, STVK

from supple.budget.points import PointBudget
from supple.contact.obstacles.half_space import HalfSpace
from supple.contact.obstacles.shapes import BoxShape
from supple.dynamics.ledger import Ledger
from supple.dynamics.needs import Need, needs_of
from supple.dynamics.state import State
from supple.dynamics.system import System, build_system
from supple.energies.points.carried_body import CarriedBody
from supple.integrators.implicit.avf import AVF
from supple.integrators.implicit.energy_momentum import SimoTarnow
from supple.integrators.points.grid_step import node_terms
from supple.integrators.points.mpm import Mpm
from supple.integrators.points.riders import bodies, bound_of_rates
from supple.loop import simulate
from supple.materials.flow.sand import Sand
from supple.materials.material import Material
from supple.materials.stvk import StVK
from supple.points import TRANSFERS
from supple.points.grid import Grid, lay_grid
from supple.points.matter import matter_of
from supple.points.obstacle import NodeObstacle
from supple.points.spline import Degree, Spline
from supple.types import Array

STIFF = StVK.from_young(1e7, 0.3)


def gap(ledger: Ledger) -> float:
    grid = ledger.grid
    return ledger.residual - (grid.transfer + grid.force + grid.collided + grid.restored)


def in_play(ledger: Ledger) -> float:
    return max(ledger.energies.scale, abs(ledger.initial), ledger.dissipated)


def on_nodes(kind: str, degree: Degree = 2) -> tuple[System, Grid, Array]:
    """The nodes around a mesh, as a system, and places of nodes at which the mesh is strained."""
    if kind == "solid":
        system, state = jelly_on_cloud(SOLIDS[1], gravity=False, cells=(2, 1, 2))
        x = state.x
    else:
        x, triangles = sheet((3, 2), (0.18, 0.125), 0.02)
        x = x + 0.01 * np.random.default_rng(1).standard_normal(x.shape)
        terms = cloth_terms(x, triangles, kind == "springs")
        system = build_system(x, np.ones(len(x)), terms, riders=np.arange(len(x)))
    grid = lay_grid(Spline(degree, 0.1), x)
    terms = node_terms(system, grid, matter_of(system.clouds, system.n))
    nodes = build_system(grid.nodes, np.ones(len(grid.nodes)), terms)
    return nodes, grid, grid.nodes + 0.004 * np.random.default_rng(4).standard_normal(grid.nodes.shape)


@pytest.mark.parametrize("kind", ["solid", "cloth", "springs"])
@pytest.mark.parametrize("degree", [2, 3])
def test_derivatives(kind: str, degree: Degree) -> None:
    system, _, x = on_nodes(kind, degree)
    e, d = 1e-6, np.random.default_rng(9).standard_normal(x.shape)
    for term in (t for t in system.potential.terms if isinstance(t, CarriedBody)):
        only = system.potential.only(lambda t, term=term: t is term)
        gradient = only.gradient(x)
        slope = float(np.sum(gradient * d))
        values = [float(term.element_values(x + s * e * d).sum()) for s in (1, -1)]
        assert abs((values[0] - values[1]) / (2 * e) - slope) < 1e-6 * abs(slope) + 1e-7
        assert abs(sum(only.by_group(x).values()) / float(term.element_values(x).sum()) - 1.0) < 1e-12
        spread = np.zeros_like(x)
        np.add.at(spread, term.elements, term.element_gradients(x))
        assert np.abs(spread - gradient).max() < 1e-12 * np.abs(gradient).max()
        bend = (only.gradient(x + e * d) - only.gradient(x - e * d)) / (2 * e)
        corners = d[term.elements].reshape(len(term.elements), -1)
        pull = np.zeros_like(x)
        forces = np.einsum("mij,mj->mi", term.element_hessians(x), corners)
        np.add.at(pull, term.elements, forces.reshape(*term.elements.shape, 3))
        assert np.abs(pull - bend).max() < 1e-5 * np.abs(bend).max() + 1e-9


@pytest.mark.parametrize("kind", ["solid", "cloth", "springs"])
def test_the_matrix_is_that_of_the_elements(kind: str) -> None:
    system, _, x = on_nodes(kind)
    for project in (False, True):
        dense = from_loops(system, x, project)
        if project:
            assert np.linalg.eigvalsh(dense).min() > -1e-10 * np.abs(dense).max()
        else:
            wanted = from_elements(system, x)
            assert np.abs(dense - wanted).max() < 1e-12 * np.abs(wanted).max()


@pytest.mark.parametrize("kind", ["solid", "cloth", "springs"])
def test_discrete_gradients_keep_the_energy(kind: str) -> None:
    system, grid, x1 = on_nodes(kind)
    for term in (t for t in system.potential.terms if isinstance(t, CarriedBody)):
        change = float(term.element_values(x1).sum() - term.element_values(grid.nodes).sum())
        mean = term.element_mean_gradients(grid.nodes, x1)
        assert abs(np.sum(mean * (x1 - grid.nodes)[term.elements]) - change) < 1e-11 * abs(change)


@pytest.mark.parametrize("name", TRANSFERS.names())
@pytest.mark.parametrize("cloud", [STVK, FLOWING[1], FLOWING[3]], ids=lambda m: m.name)
def test_parts_add_up(name: str, cloud: Material) -> None:
    """A jelly that falls onto a solid, sand and water above a floor."""
    floor = NodeObstacle(HalfSpace((0.0, 0.02, 0.0)), "separate", 0.4)
    system, state = jelly_on_cloud(SOLIDS[1], cloud, node_obstacles=[floor])
    frames = list(simulate(system, Mpm(cell=0.1, transfer=TRANSFERS[name]()), state, 5e-3, 10))
    assert max(abs(frame.ledger.energies.elastic) for frame in frames) > 0.01
    assert max(abs(gap(frame.ledger)) for frame in frames) < 1e-12 * in_play(frames[-1].ledger)
    assert np.isfinite(frames[-1].state.x).all()


@pytest.mark.parametrize(
    ("name", "of"),
    [
        pytest.param(name, of, marks=() if of.name == "avf" or name == "apic" else pytest.mark.study)
        for of in (AVF(), SimoTarnow())
        for name in TRANSFERS.names()
    ],
    ids=lambda value: getattr(value, "name", value),
)
def test_exact_steps_on_the_nodes(name: str, of: AVF | SimoTarnow) -> None:
    system, state = jelly_on_cloud(speed=0.1, cells=(2, 1, 2))
    frames = list(simulate(system, Mpm(of, cell=0.1, transfer=TRANSFERS[name]()), state, 4e-3, 2))
    ledger = frames[-1].ledger
    assert abs(ledger.grid.force) < 1e-12 * in_play(ledger)
    assert abs(gap(ledger)) < 1e-12 * in_play(ledger)


def test_the_budget_keeps_energy_and_momenta() -> None:
    """A jelly that bounces off a cloud in free flight."""
    system, state = jelly_on_cloud(gravity=False, speed=0.1)
    frames = [(f, *f.momenta()) for f in simulate(system, PointBudget(Mpm(AVF(), cell=0.1)), state, 4e-3, 6)]
    start, P0, L0 = frames[0]
    assert max(abs(f.ledger.energies.total - start.ledger.initial) for f, _, _ in frames) < 1e-12 * start.ledger.initial
    assert max(np.abs(P - P0).max() for _, P, _ in frames) < 1e-12 * np.abs(P0).max()
    assert max(np.abs(L - L0).max() for _, _, L in frames) < 1e-12 * np.abs(P0).max()


def test_explicit_and_implicit_steps_agree() -> None:
    """Symplectic Euler by kernels, and by the engine's own stage with the same gradient."""
    system, state = jelly_on_cloud(speed=0.1)
    h = 1e-4
    fast = list(simulate(system, Mpm(cell=0.1), state, h, 3))[-1].state.x
    slow = list(simulate(system, Mpm(AVF(), cell=0.1), state, h, 3))[-1].state.x
    assert np.abs(fast - slow).max() < 2e-3 * np.abs(fast - state.x).max()


def test_a_cloth_catches_sand() -> None:
    """Held by a frame, it stops falling sand far above the place that the sand would reach without it."""
    bars = [NodeObstacle(BoxShape((at, 0.0, 0.3), (0.08, 0.3, 0.8)), "sticky") for at in (0.0, 0.6)]
    bars += [NodeObstacle(BoxShape((0.3, 0.0, at), (0.8, 0.3, 0.08)), "sticky") for at in (0.0, 0.6)]
    system, state = cloth_under_cloud(Sand(1e5, 0.3), node_obstacles=bars)
    frames = list(simulate(system, Mpm(cell=0.066), state, 0.01, 60))
    ledger, x = frames[-1].ledger, frames[-1].state.x
    sand = system.clouds[0].vertices
    fallen = 0.5 * 9.81 * 0.6**2
    assert (state.x - x)[sand, 1].max() < 0.25 * fallen
    nearest = np.array([np.linalg.norm(x[: len(system.riders)] - p, axis=1).min() for p in x[sand]])
    assert nearest.max() < 0.2
    assert np.abs(frames[-1].state.v[sand]).max() < 1.0
    assert max(abs(gap(frame.ledger)) for frame in frames) < 1e-12 * in_play(ledger)


def test_stiff_meshes_cut_the_substeps() -> None:
    """A bound of the frequencies: explicit steps of a mesh a hundred times stiffer than the cloud stay stable."""
    system, state = jelly_on_cloud(STIFF, gravity=False, speed=0.05)
    K = bound_of_rates(system, state.x)
    soft = bound_of_rates(jelly_on_cloud(gravity=False)[0], state.x)
    assert abs(K / soft - 10.0) < 1e-6
    frames = list(simulate(system, Mpm(cell=0.1), state, 2e-3, 20))
    assert frames[-1].ledger.energies.total < 1.01 * frames[0].ledger.initial


def test_meshes_alone() -> None:
    """Two jellies meet on a grid whose cells are given; without a size there is nothing to take it from."""
    system, state = jelly_on_cloud(gravity=False)
    assert [len(body) for body in bodies(system)] == [48]
    x, triangles = sheet((4, 4), (0.2, 0.2), 0.0)
    alone = build_system(x, np.full(len(x), 0.01), cloth_terms(x, triangles), riders=np.arange(len(x)))
    assert Need.POINTS in needs_of(alone)
    assert "mpm takes the size of its cells from clouds, and this system has none; give mpm.cell" in Mpm().refuses(
        alone
    )
    v = np.random.default_rng(0).standard_normal(x.shape)
    for method in (Mpm(cell=0.1), Mpm(AVF(), cell=0.1)):
        ledger = list(simulate(alone, method, State(0.0, x, v), 2e-3, 4))[-1].ledger
        assert abs(gap(ledger)) < 1e-12 * in_play(ledger)
    both = build_system(state.x, system.mass, [], clouds=system.clouds, riders=np.arange(system.n))
    assert "to a cloud and to a mesh that rides, and so do 63 others" in Mpm().refuses(both)
    note = next(f.note for f in simulate(alone, Mpm(cell=0.04), State(0.0, x, v), 2e-3, 1) if f.h)
    assert "longer than its cells of 0.04 m: other bodies pass between its vertices" in note
