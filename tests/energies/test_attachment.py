"""Attachments between two bodies: exact under AVF where they are quadratic, momenta kept, one body for the budget."""

import numpy as np
import pytest

from builders import Setup, drift, run
from supple.budget.bodies import find_bodies
from supple.budget.energy_budget import EnergyBudget
from supple.dynamics.invariants import momenta
from supple.dynamics.state import State
from supple.dynamics.system import build_system
from supple.energies.springs.attachment import Attachments
from supple.energies.springs.links import Linked
from supple.energies.springs.springs import HookeSprings, StVKSprings
from supple.errors import MeshError, SuppleError
from supple.integrators.implicit.avf import AVF
from supple.integrators.implicit.backward_euler import BackwardEuler
from supple.integrators.implicit.energy_momentum import SimoTarnow
from supple.integrators.method import Method

X = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.1], [0.3, 0.9, 0.0], [0.4, 0.3, 0.6], [1.2, 0.4, 0.9], [0.5, 1.1, 1.0]])
PAIRS = np.array([[0, 1], [1, 2], [0, 2], [3, 4], [4, 5], [3, 5]], dtype=np.int32)
FEET = np.array([[3, 0, 1, 2], [4, 0, 1, 2]], dtype=np.int32)
WEIGHTS = np.array([[1.0, -0.5, -0.3, -0.2], [1.0, 0.0, -0.7, -0.3]])
SPIN = np.array([0.5, 1.0, -2.0])


def two_triangles(rest_length: float) -> Setup:
    """Two triangles of springs, the second attached to two places of the first, tumbling and shaken."""
    terms = [StVKSprings(X, PAIRS, 40.0), Attachments(FEET, WEIGHTS, rest_length, 30.0)]
    v = np.cross(SPIN, X) + 0.3 * np.random.default_rng(2).standard_normal(X.shape)
    return build_system(X, np.linspace(0.5, 1.5, 6), terms), State(0.0, X * [1.1, 0.9, 1.0], v)


def test_zero_length_is_quadratic_and_exact_under_avf() -> None:
    assert Attachments(FEET, WEIGHTS, 0.0, 1.0).degree == 2
    assert Attachments(FEET, WEIGHTS, 0.1, 1.0).degree is None
    system, _ = two_triangles(0.0)
    assert system.potential.degree == 4
    assert drift(run(two_triangles(0.0), AVF(), 0.05, 100)) <= 1e-12
    assert drift(run(two_triangles(0.4), AVF(), 0.05, 40)) <= 1e-9


@pytest.mark.parametrize("method", [SimoTarnow(), EnergyBudget(BackwardEuler())], ids=["simo-tarnow", "budget"])
def test_momenta_and_energy(method: Method) -> None:
    """Of both bodies together; each alone would not keep its own."""
    system, start = two_triangles(0.4)
    frames = run((system, start), method, 0.02, 100)
    for k in (0, 1):
        found = np.array([momenta(system, f.state)[k] for f in frames])
        assert np.abs(found - found[0]).max() <= 1e-11 * np.abs(found[0]).max()
    assert drift(frames) <= 1e-9
    first = np.array([(system.mass[:3, None] * f.state.v[:3]).sum(axis=0) for f in frames])
    assert np.abs(first - first[0]).max() > 0.1


def test_attached_bodies_are_one_for_the_budget() -> None:
    assert find_bodies(two_triangles(0.0)[0]).label.tolist() == [0] * 6
    apart = build_system(X, np.ones(6), [StVKSprings(X, PAIRS, 40.0)])
    assert find_bodies(apart).count == 2


def test_between_two_vertices_it_is_a_hooke_spring() -> None:
    spring, x = HookeSprings(X, PAIRS, 7.0), X * [1.3, 0.8, 1.1]
    same = Attachments(PAIRS, np.tile([-1.0, 1.0], (6, 1)), spring.rest_length, 7.0)
    y = x + 0.2 * np.random.default_rng(3).standard_normal(x.shape)
    for found, wanted in [
        (same.element_values(x), spring.element_values(x)),
        (same.element_gradients(x), spring.element_gradients(x)),
        (same.element_hessians(x), spring.element_hessians(x)),
        (same.projected_hessians(0.5 * x), spring.projected_hessians(0.5 * x)),
        (same.element_mean_gradients(x, y), spring.element_mean_gradients(x, y)),
        (same.element_mean_jacobians(x, y), spring.element_mean_jacobians(x, y)),
        (same.links(x).u, spring.links(x).u),
    ]:
        np.testing.assert_allclose(found, wanted, rtol=1e-13, atol=1e-13)
    assert isinstance(same, Linked)


def test_projection() -> None:
    """Squeezed to a third of its length, each block loses its negative eigenvalues and nothing else."""
    term, x = Attachments(FEET, WEIGHTS, 3.0, 5.0), X * [1.1, 0.9, 1.0]
    values, vectors = np.linalg.eigh(term.element_hessians(x))
    assert values.min() < -1.0
    wanted = np.einsum("mia,ma,mja->mij", vectors, np.maximum(values, 0.0), vectors)
    np.testing.assert_allclose(term.projected_hessians(x), wanted, atol=1e-12)


def test_what_is_refused() -> None:
    with pytest.raises(MeshError, match="1 attachments do not add up to zero, the first is attachment 1"):
        Attachments(FEET, WEIGHTS + np.array([[0.0], [0.1]]), 0.0, 1.0)
    with pytest.raises(MeshError, match="coefficients must have the shape"):
        Attachments(FEET, WEIGHTS[:, :3], 0.0, 1.0)
    for rest, stiffness in ((-1.0, 1.0), (0.0, np.nan)):
        with pytest.raises(SuppleError, match="must be finite and not negative"):
            Attachments(FEET, WEIGHTS, rest, stiffness)
