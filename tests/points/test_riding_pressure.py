"""Gas in a surface that rides on the grid: outer products through the nodes, limits of explicit substeps, exact steps."""

import numpy as np
import pytest

from supple.dynamics.needs import Need, needs_of
from supple.dynamics.state import State
from supple.dynamics.system import System, build_system
from supple.energies.areas.whole_measure import ConstantPressure, Gas, Law, Stiffness, enclosed_volume
from supple.energies.membranes.membrane import Membrane
from supple.energies.points.carried_body import CarriedWhole
from supple.energies.samples import one_sample
from supple.energies.springs.anchor import Anchors
from supple.integrators.implicit.avf import AVF
from supple.integrators.points.grid_step import node_terms
from supple.integrators.points.mpm import Mpm
from supple.integrators.points.riders import bound_of_rates
from supple.loop import simulate
from supple.materials.membranes.laws import StVKMembrane
from supple.mesh.measure import lumped_mass
from supple.mesh.shapes.surface import Sphere
from supple.points.grid import lay_grid
from supple.points.matter import matter_of
from supple.points.spline import Spline
from supple.types import Array

GAS = Gas(101_900.0, 101_300.0, 1.4)
LAWS: list[Law] = [GAS, ConstantPressure(300.0), Stiffness(2e4)]


def balloon(law: Law, held: float = 0.0) -> tuple[System, State]:
    mesh = Sphere(radius=0.1, subdivisions=1).mesh()
    x = mesh.vertices
    terms = [Membrane(x, mesh.triangles, StVKMembrane(2e5, 0.3), 1e-3), enclosed_volume(x, mesh.triangles, law)]
    terms += [Anchors(x, held)] if held else []
    system = build_system(x, lumped_mass(mesh, 1.0), terms, riders=np.arange(len(x)))
    return system, State(0.0, x, 0.3 * np.random.default_rng(2).standard_normal(x.shape))


def stiffness(system: System, x: Array) -> Array:
    """K by central differences of the gradient."""
    e, columns = 1e-6, []
    for k in range(x.size):
        d = np.zeros(x.size)
        d[k] = e
        ahead, behind = (system.potential.gradient(x + s * d.reshape(x.shape)) for s in (1, -1))
        columns.append(((ahead - behind) / (2 * e)).ravel())
    return np.array(columns)


@pytest.mark.parametrize("law", LAWS, ids=lambda law: type(law).__name__)
@pytest.mark.parametrize("held", [0.0, 500.0])
def test_explicit_limits_have_all_of_the_stiffness(law: Law, held: float) -> None:
    system, state = balloon(law, held)
    root = np.repeat(1.0 / np.sqrt(system.mass), 3)
    largest = np.linalg.eigvalsh(root[:, None] * stiffness(system, state.x) * root)[-1]
    assert np.sqrt(largest) < bound_of_rates(system, state.x) < 4.0 * np.sqrt(largest)


def test_the_stiffness_of_a_whole_body_reaches_the_nodes() -> None:
    """The change of the gradient along a direction is that of the matrix and of the outer products."""
    system, state = balloon(GAS)
    grid = lay_grid(Spline(2, 0.05), state.x)
    terms = node_terms(system, grid, matter_of((), system.n))
    nodes = build_system(grid.nodes, np.ones(len(grid.nodes)), terms)
    whole = next(term for term in terms if isinstance(term, CarriedWhole))
    assert Need.WHOLE_BODY in needs_of(nodes)
    rng, e = np.random.default_rng(4), 1e-6
    x = grid.nodes + 0.002 * rng.standard_normal(grid.nodes.shape)
    d = rng.standard_normal(x.shape)
    only = nodes.potential.only(lambda term: term is whole)
    bend = (only.gradient(x + e * d) - only.gradient(x - e * d)) / (2 * e)
    pull = sum(weight * np.sum(field * d) * field for weight, field in whole.outer_products(one_sample(x)))
    corners = d[whole.elements].reshape(len(whole.elements), -1)
    forces = np.einsum("mij,mj->mi", whole.element_hessians(x), corners)
    np.add.at(pull, whole.elements, forces.reshape(*whole.elements.shape, 3))
    assert np.abs(pull - bend).max() < 1e-5 * np.abs(bend).max()


@pytest.mark.parametrize("law", LAWS, ids=lambda law: type(law).__name__)
def test_ledgers_close_and_avf_keeps_the_energy_on_the_nodes(law: Law) -> None:
    system, state = balloon(law)
    for method in (Mpm(cell=0.05), Mpm(AVF(), cell=0.05)):
        ledger = list(simulate(system, method, state, 2e-3, 2))[-1].ledger
        grid, scale = ledger.grid, max(ledger.energies.scale, abs(ledger.initial))
        assert abs(ledger.residual - grid.transfer - grid.force - grid.collided) < 1e-12 * scale
        if method.of.name == "avf":
            assert abs(grid.force) < 1e-11 * scale
        else:
            assert ledger.energies.total < 1.05 * ledger.initial
