"""Energies of particles as functions of nodes: derivatives, the solid they stand for, and terms seen through nodes."""

import numpy as np
import pytest
from matrices import from_elements, from_loops
from swarms import SOLIDS, STVK, block, strained

from supple.contact.laws import Cubic, Quadratic
from supple.contact.obstacles.half_space import HalfSpace, HalfSpaceContact
from supple.contact.obstacles.shape_contact import shape_contact
from supple.contact.obstacles.shapes import SphereShape
from supple.dynamics.system import System, build_system
from supple.energies.points.carried import CarriedContact
from supple.energies.points.point_solid import PointSolid
from supple.energies.samples import one_sample
from supple.energies.solids.solid import Solid
from supple.integrators.points.grid_step import node_terms
from supple.materials.material import Material
from supple.mesh.shapes.solid import Bar
from supple.points.cloud import Cloud
from supple.points.grid import Grid, lay_grid
from supple.points.matter import Matter
from supple.points.seeding import Seeding, seed_mesh
from supple.points.spline import Degree, Spline
from supple.types import Array

FLOOR = HalfSpaceContact(HalfSpace((0.0, 0.06, 0.0)), Cubic(1e6), np.arange(27))
BALL = shape_contact(SphereShape((0.07, 0.0, 0.07), 0.06), Quadratic(1e4), np.arange(27))


def on_nodes(material: Material = STVK, degree: Degree = 2, size: float = 0.03) -> tuple[System, Grid, Matter]:
    """27 particles above a floor and a ball, as a system of nodes."""
    system, state = block(material, side=3, terms=[FLOOR, BALL])
    grid, matter = lay_grid(Spline(degree, 0.1), state.x), strained(27, size=size)
    mass = np.ones(len(grid.nodes))
    return build_system(grid.nodes, mass, node_terms(system, grid, matter)), grid, matter


def moved(grid: Grid, seed: int = 4) -> Array:
    return grid.nodes + 0.002 * np.random.default_rng(seed).standard_normal(grid.nodes.shape)


@pytest.mark.parametrize("material", SOLIDS, ids=lambda m: m.name)
@pytest.mark.parametrize("degree", [2, 3])
def test_derivatives(material: Material, degree: Degree) -> None:
    system, grid, _ = on_nodes(material, degree)
    x, e = moved(grid), 1e-6
    d = np.random.default_rng(9).standard_normal(x.shape)
    for term in system.potential.terms:
        only = system.potential.only(lambda t, term=term: t is term)
        slope = float(np.sum(only.gradient(x) * d))
        assert slope != 0.0
        values = [sum(only.by_group(x + s * e * d).values()) for s in (1, -1)]
        assert abs((values[0] - values[1]) / (2 * e) - slope) < 1e-6 * abs(slope) + 1e-7
        bend = (only.gradient(x + e * d) - only.gradient(x - e * d)) / (2 * e)
        K, corners = term.element_hessians(x), d[term.elements].reshape(len(term.elements), -1)
        pull = np.zeros_like(x)
        np.add.at(pull, term.elements, np.einsum("mij,mj->mi", K, corners).reshape(*term.elements.shape, 3))
        assert np.abs(pull - bend).max() < 1e-5 * np.abs(bend).max() + 1e-9


@pytest.mark.parametrize("degree", [2, 3])
def test_fused_loops_agree_with_elements(degree: Degree) -> None:
    system, grid, _ = on_nodes(SOLIDS[1], degree)
    x = moved(grid)
    for project in (False, True):
        dense = from_loops(system, x, project)
        if not project:
            wanted = from_elements(system, x)
            assert np.abs(dense - wanted).max() < 1e-12 * np.abs(wanted).max()
        else:
            assert np.linalg.eigvalsh(dense).min() > -1e-10 * np.abs(dense).max()


def test_particles_are_solids_where_the_motion_is_homogeneous() -> None:
    system, grid, matter = on_nodes(size=0.0)
    A = np.eye(3) + 0.1 * np.random.default_rng(5).standard_normal((3, 3))
    term = next(t for t in system.potential.terms if isinstance(t, PointSolid))
    F = term.deformation_gradients(grid.nodes @ A.T)
    assert np.abs(F - A).max() < 1e-13
    assert np.abs(term.deformation_gradients(grid.nodes) - matter.F[0]).max() < 1e-14
    density = STVK.density(A[None])[0]
    assert abs(term.element_values(grid.nodes @ A.T).sum() / (density * term.volume.sum()) - 1.0) < 1e-12
    assert np.abs(term.element_gradients(grid.nodes @ A.T).sum(axis=(0, 1))).max() < 1e-9


@pytest.mark.parametrize("material", SOLIDS, ids=lambda m: m.name)
def test_a_cloud_is_the_solid_of_tets_that_it_fills(material: Material) -> None:
    """Of the same volume, deformed as a whole: the same energy, and the same work along every change of that deformation."""
    rng = np.random.default_rng(6)
    A, dA = np.eye(3) + 0.1 * rng.standard_normal((3, 3)), rng.standard_normal((3, 3))
    mesh = Bar(cells=(2, 2, 2), size=(0.2, 0.2, 0.2)).mesh()
    seeds = seed_mesh(mesh, Seeding(0.1, 8, 0.5, 1))
    grid = lay_grid(Spline(2, 0.1), seeds.x)
    n = len(seeds.x)
    cloud = Cloud(np.arange(n), seeds.volume, material)
    system = build_system(seeds.x, np.ones(n), [], clouds=[cloud])
    rest = Matter(np.tile(np.eye(3), (n, 1, 1)), np.zeros((n, 3, 3)), np.ones((n, 0)))
    (points,) = node_terms(system, grid, rest)
    solid = Solid(mesh.vertices, mesh.tets, material)
    energies, works = [], []
    for term, X in ((points, grid.nodes), (solid, mesh.vertices)):
        energies.append(term.element_values(X @ A.T).sum())
        works.append(float(np.sum(term.element_gradients(X @ A.T) * (X @ dA.T)[term.elements])))
    assert abs(energies[0] / energies[1] - 1.0) < 1e-12
    assert abs(works[0] / works[1] - 1.0) < 1e-12


def test_planar_contact_keeps_its_mean_in_closed_form() -> None:
    system, grid, _ = on_nodes()
    term = next(t for t in system.potential.terms if isinstance(t, CarriedContact) and t.turns_nothing)
    x0, x1 = grid.nodes, moved(grid)
    only = system.potential.only(lambda t: t is term)
    mean = only.replaced([term.averaged(x0)])
    force = mean.weighted_gradient(one_sample(x1))
    change = term.element_values(x1).sum() - term.element_values(x0).sum()
    assert abs(float(np.sum(force * (x1 - x0))) - change) < 1e-13 * abs(change)
    assert np.abs(np.sum(term.element_mean_gradients(x0, x1) * (x1 - x0)[term.elements]) - change) < 1e-13 * abs(change)
