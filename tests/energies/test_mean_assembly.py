"""Fused mean gradients and Jacobians of solids against the sum of element by element ones."""

import numpy as np
import pytest

from builders import hold, random_tets
from supple.constraints.motion import Motion
from supple.dynamics.system import System, build_system
from supple.energies.solids.solid import Solid
from supple.errors import StepRejected
from supple.linalg.square import square_pattern, sum_at_vertices
from supple.linalg.threads import use_threads
from supple.materials import MATERIALS
from supple.types import Array

NAMES = sorted(set(MATERIALS.load()) - {"linear"})
SIZES = (0.3, 2e-2, 1e-3, 1e-9)
"""Steps in which alpha is determined by energies, by both, by samples, and in which no correction is needed."""
MESH = random_tets(cells=(3, 2, 1))


def body(name: str, held: int = 3) -> System:
    motion = Motion((hold(range(held), MESH.vertices),))
    solid = Solid(MESH.vertices, MESH.tets, MATERIALS[name].from_young(1000.0, 0.3))
    return build_system(MESH.vertices, np.ones(MESH.n), [solid], motion)


def step(size: float) -> tuple[Array, Array]:
    rng = np.random.default_rng(4)
    x0 = MESH.vertices + rng.uniform(-0.04, 0.04, MESH.vertices.shape)
    c, s = np.cos(size), np.sin(size)
    turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    return x0, np.ascontiguousarray(x0 @ turn.T + 0.2 * size * rng.uniform(-1.0, 1.0, x0.shape))


def fused(system: System, x0: Array, x1: Array) -> tuple[Array, Array]:
    values = np.zeros(square_pattern(system.pattern).nnz)
    system.potential.add_mean_jacobian(x0, x1, values)
    return sum(system.potential.mean_gradients(x0, x1)), values


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", NAMES)
def test_fused_sums_equal_those_over_elements(name: str, size: float) -> None:
    system, (x0, x1) = body(name), step(size)
    term = system.potential.terms[0]
    gradient, values = fused(system, x0, x1)
    wanted = sum_at_vertices(term.elements, term.element_mean_gradients(x0, x1), system.n)
    np.testing.assert_allclose(gradient, wanted, rtol=0, atol=1e-12 * np.abs(wanted).max())
    unknowns = np.full(system.n, -1, np.int32)
    unknowns[system.free] = np.arange(len(system.free))
    pattern = square_pattern(system.pattern)
    matrices = term.element_mean_jacobians(x0, x1)
    summed = pattern.assemble(np.zeros(3 * pattern.n), [(unknowns[term.elements], matrices)])
    assert np.abs(summed).max() > 1.0
    # alpha is the quotient of small numbers: both ways have its rounding error
    np.testing.assert_allclose(values, summed, rtol=0, atol=1e-9 * np.abs(summed).max())


@pytest.mark.parametrize("name", ["stvk", "stable-neo-hookean"])
def test_inverted_elements_keep_their_orientation(name: str) -> None:
    system = body(name, held=1)
    mirror = np.array([1.0, 1.0, -1.0])
    x0, x1 = (np.ascontiguousarray(x * mirror) for x in step(0.05))
    term = system.potential.terms[0]
    gradient, _ = fused(system, x0, x1)
    wanted = sum_at_vertices(term.elements, term.element_mean_gradients(x0, x1), system.n)
    np.testing.assert_allclose(gradient, wanted, rtol=0, atol=1e-12 * np.abs(wanted).max())


@pytest.mark.parametrize("name", ["stvk", "neo-hookean"])
def test_bits_do_not_depend_on_threads(name: str) -> None:
    found = []
    for count in (1, 2, 3):
        use_threads(count)
        try:
            found.append(fused(body(name), *step(0.1)))
        finally:
            use_threads(0)
    assert all(np.array_equal(a, b) for other in found[1:] for a, b in zip(found[0], other, strict=True))


def test_flat_elements_are_refused_but_by_laws_quadratic_in_strain() -> None:
    tet = np.concatenate([np.zeros((1, 3)), np.eye(3)])
    flat = tet * [1.0, 1.0, 0.0]
    corners = np.arange(4)[None]
    for name, refused in {"stvk": False, "stable-neo-hookean": True}.items():
        system = build_system(tet, np.ones(4), [Solid(tet, corners, MATERIALS[name].from_young(1000.0, 0.3))])
        if refused:
            with pytest.raises(StepRejected, match="an element is flat"):
                list(system.potential.mean_gradients(flat, 1.1 * flat))
            with pytest.raises(StepRejected, match="an element is flat"):
                system.potential.add_mean_jacobian(flat, 1.1 * flat, np.zeros(144))
        else:
            assert all(np.isfinite(part).all() for part in fused(system, flat, 1.1 * flat))
