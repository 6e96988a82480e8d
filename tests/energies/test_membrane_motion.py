"""Membranes at their limits and in motion: flat triangles, new rest shapes, projection, threads, and conservation in runs."""

import numpy as np
import pytest
from catalogue import MEMBRANES as TERMS
from catalogue import REST, deformed

from builders import dense, drift, hold, run
from supple.constraints.motion import Motion
from supple.dynamics.state import State
from supple.dynamics.system import System, build_system
from supple.energies.gravity import Gravity
from supple.energies.membranes.membrane import Membrane
from supple.energies.samples import one_sample
from supple.errors import StepRejected
from supple.integrators.implicit.avf import AVF
from supple.integrators.implicit.energy_momentum import SimoTarnow
from supple.linalg.threads import threads, use_threads
from supple.materials.membranes.membrane import MembraneLaw
from supple.mesh.measure import lumped_mass
from supple.mesh.shapes.thin import Cloth
from supple.types import Array

THICKNESS = 0.01
LAWS: dict[str, MembraneLaw] = {name.removeprefix("membrane "): make().law for name, make in TERMS.items()}
FLEXIBLE = ["neo-hookean-membrane", "rubber-membrane", "formula-membrane", "neo-hookean-plane-strain"]
"""Laws with infinite energy at zero area."""


@pytest.mark.parametrize("name", LAWS)
def test_a_triangle_without_area(name: str) -> None:
    term, x = TERMS[f"membrane {name}"](), deformed()
    x[term.elements[0]] = x[term.elements[0, 0]]
    assert np.isinf(term.element_values(x)[0]) == (name in FLEXIBLE)
    system = build_system(REST, np.ones(len(REST)), [term])
    assert np.isinf(system.potential.by_group(x)["elastic"]) == (name in FLEXIBLE)
    assert np.isfinite(system.potential.gradient(x)).all()
    if name in FLEXIBLE:
        with pytest.raises(StepRejected, match="triangle 0 has no area"):
            term.element_mean_gradients(x, x)


@pytest.mark.parametrize("name", TERMS)
def test_a_new_rest_configuration(name: str) -> None:
    term, x = TERMS[name](), deformed()
    size = np.abs(term.element_gradients(x)).max()
    there = term.resting_at(x)
    assert there is not None
    assert np.abs(there.element_values(x)).max() <= 1e-13
    assert np.abs(there.element_gradients(x)).max() <= 1e-12 * size
    y = deformed(2)
    same = term.resting_at(REST)
    assert same is not None
    np.testing.assert_allclose(same.element_values(y), term.element_values(y), rtol=1e-11)
    x[term.elements[0]] = x[term.elements[0, 0]]
    flat = term.resting_at(x)
    assert flat is not None
    values, gradient = flat.element_values(x), build_system(REST, np.ones(len(REST)), [flat]).potential.gradient(x)
    assert values[0] == 0.0
    assert np.isfinite(gradient).all()


def stiff(name: str, x: Array, project: bool) -> Array:
    system = build_system(REST, np.ones(len(REST)), [TERMS[name]()])
    values = np.zeros(system.pattern.nnz)
    system.potential.add_hessian(one_sample(x), values, project=project)
    return dense(system, values)


@pytest.mark.parametrize("factors", [(0.5, 0.7, 1.0), (0.6, 1.4, 1.2), (3.0, 4.0, 3.5)], ids=str)
@pytest.mark.parametrize("name", TERMS)
def test_projected_triangles_are_positive(name: str, factors: tuple[float, float, float]) -> None:
    """Crushed, pulled one way and crushed the other, and pulled far."""
    term, x = TERMS[name](), np.ascontiguousarray(REST * factors)
    matrices = term.projected_hessians(x)
    eigenvalues = np.linalg.eigvalsh(matrices)
    assert eigenvalues[:, 0].min() >= -1e-12 * eigenvalues.max()
    summed = np.zeros((3 * len(REST), 3 * len(REST)))
    for corners, matrix in zip(term.elements, matrices, strict=True):
        at = (3 * corners[:, None] + np.arange(3)).ravel()
        summed[np.ix_(at, at)] += matrix
    np.testing.assert_allclose(stiff(name, x, True), summed, rtol=0, atol=1e-12 * np.abs(summed).max())
    plain = np.linalg.eigvalsh(term.element_hessians(x))[:, 0].min()
    if factors[0] < 1.0:
        assert plain < -1e-2 * eigenvalues.max()


def test_a_logarithm_pulled_far_is_made_convex() -> None:
    law, e = LAWS["neo-hookean-membrane"], np.array([[4.0, 7.5, 1.0]])
    plain, convex = (np.linalg.eigvalsh(law.tangent(e, convex=c))[0] for c in (False, True))
    assert plain[0] < -1e-2 * plain[-1]
    assert abs(convex[0]) <= 1e-14 * convex[-1]


def test_bits_of_membranes_do_not_depend_on_the_number_of_threads() -> None:
    before, found = threads(), []
    try:
        for count in (1, 2):
            use_threads(count)
            x = deformed()
            system = build_system(REST, np.ones(len(REST)), [TERMS["membrane neo-hookean-membrane"]()])
            values = np.zeros(system.pattern.nnz)
            system.potential.add_hessian(one_sample(x), values, project=True)
            found.append((system.potential.gradient(x), values))
    finally:
        use_threads(before)
    assert np.array_equal(found[0][0], found[1][0])
    assert np.array_equal(found[0][1], found[1][1])


def swinging(law: MembraneLaw) -> tuple[System, State]:
    """A sheet held at two corners, let go horizontally."""
    mesh = Cloth(cells=(5, 5)).mesh()
    mass = lumped_mass(mesh, mass=0.2)
    terms = [
        Membrane(mesh.vertices, mesh.triangles, law, THICKNESS),
        Gravity(mass, np.array([0.0, -9.8, 0.0])),
    ]
    ends = np.concatenate([mesh.group("corner_00"), mesh.group("corner_01")])
    system = build_system(mesh.vertices, mass, terms, Motion((hold(ends, mesh.vertices),)))
    v = np.zeros_like(mesh.vertices)
    v[:, 1] = -np.sin(3 * mesh.vertices[:, 0])
    return system, State(0.0, mesh.vertices.copy(), system.motion.drive(v, 0.0))


def free_flight(law: MembraneLaw) -> tuple[System, State]:
    """A sheet that spins and is stretched."""
    mesh = Cloth(cells=(4, 4)).mesh()
    X, mass = mesh.vertices, lumped_mass(mesh, mass=0.2)
    v = np.cross([1.0, 2.0, 3.0], X - X.mean(axis=0))
    system = build_system(X, mass, [Membrane(X, mesh.triangles, law, THICKNESS)])
    return system, State(0.0, np.ascontiguousarray(X * [1.15, 1.0, 0.9]), v)


@pytest.mark.parametrize(
    ("name", "bound"), [(n, 1e-12 if law.quadratic_in_strain else 1e-9) for n, law in LAWS.items()]
)
def test_avf_keeps_the_energy(name: str, bound: float) -> None:
    """To rounding error where the law is quadratic, to the tolerance of the adaptive rule where it is not."""
    energies = [f.ledger.energies for f in run(swinging(LAWS[name]), AVF(), 1 / 60, 30)]
    scale = max(e.kinetic for e in energies)
    assert scale > 0.3
    assert max(abs(e.total - energies[0].total) for e in energies) <= bound * scale
    assert np.ptp([e.elastic for e in energies]) > 0.3


@pytest.mark.parametrize("name", LAWS)
def test_simo_tarnow_keeps_energy_and_angular_momentum(name: str) -> None:
    system, state = free_flight(LAWS[name])
    frames = run((system, state), SimoTarnow(), 1 / 60, 10)
    assert drift(frames) <= 1e-12
    L = [np.cross(f.state.x, system.mass[:, None] * f.state.v).sum(axis=0) for f in frames]
    assert np.abs(L - L[0]).max() <= 1e-12 * np.abs(L[0]).max()
