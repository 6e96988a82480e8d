"""Bending of sheets and rods: derivatives, rigid motion, limits by triangulation, beams, refusals."""

from collections.abc import Callable

import numpy as np
import pytest

from builders import dense
from supple.dynamics.state import State
from supple.dynamics.system import build_system
from supple.energies.areas.element_area import ElementAreas
from supple.energies.bending.dihedral import DihedralBending
from supple.energies.bending.hinge import hinges
from supple.energies.bending.quadratic import QuadraticBending
from supple.energies.bending.rigidity import bending_form, bending_stiffness, inner_share, strip_rigidity
from supple.energies.bending.rod import RodBending
from supple.energies.samples import Samples, one_sample
from supple.energies.springs.springs import HookeSprings
from supple.energies.stencil import Stencils
from supple.energies.term import EnergyTerm
from supple.errors import MeshError, SuppleError
from supple.integrators.implicit.energy_momentum import SimoTarnow
from supple.loop import simulate
from supple.mesh.mesh import Mesh
from supple.mesh.shapes.surface import Sphere, Tube
from supple.mesh.shapes.thin import Cloth, Rope
from supple.types import Array, Ints

ROW = np.sqrt(0.75)


def sheet(pattern: str, nu: int, nv: int, a: float) -> Mesh:
    """A flat sheet in the plane xy with edges of length a along x."""
    height = nv * a * (ROW if pattern == "equilateral" else 1.0)
    return Cloth(cells=(nu, nv), size=(nu * a, height), plane="xy", pattern=pattern).mesh()


SHEET = sheet("equilateral", 3, 3, 0.4)
UNEVEN = SHEET.vertices + np.pad(np.random.default_rng(0).uniform(-0.05, 0.05, (SHEET.n, 2)), ((0, 0), (0, 1)))
ROD = np.outer(np.cumsum([0.0, 0.3, 0.5, 0.2, 0.4, 0.3]), [1.0, 0.0, 0.0])
SEGMENTS = np.array([[0, 1], [2, 1], [2, 3], [3, 4], [5, 4]], dtype=np.int32)


def moved(rest: Array, seed: int, size: float = 0.1) -> Array:
    rng = np.random.default_rng(seed)
    Q = np.linalg.qr(rng.standard_normal((3, 3)))[0]
    return np.ascontiguousarray(
        (rest + rng.uniform(-size, size, rest.shape)) @ (Q * np.linalg.det(Q)).T + [1.0, 2.0, 3.0]
    )


def _quadratic() -> Stencils:
    return QuadraticBending(UNEVEN, SHEET.triangles, 0.7)


def _rod() -> Stencils:
    return RodBending(ROD, SEGMENTS, np.array([1.0, 2.0, 3.0, 4.0]))


CASES: dict[str, tuple[Array, Callable[[], EnergyTerm]]] = {
    "quadratic": (UNEVEN, _quadratic),
    "rod": (ROD, _rod),
    "quadratic, resting bent": (UNEVEN, lambda: _quadratic().resting_at(moved(UNEVEN, 9))),
    "rod, resting bent": (ROD, lambda: _rod().resting_at(moved(ROD, 9))),
}


def along(function: Callable[[Array], Array], x: Array, d: Array, eps: float = 1e-3) -> Array:
    steps = {1: 45.0, 2: -9.0, 3: 1.0}
    return sum(c * (function(x + k * eps * d) - function(x - k * eps * d)) for k, c in steps.items()) / (60 * eps)


@pytest.mark.parametrize("name", CASES)
def test_derivatives_of_stencils(name: str) -> None:
    rest, make = CASES[name]
    term, x = make(), moved(rest, 1)
    d = 0.1 * np.random.default_rng(2).standard_normal(x.shape)
    gradients, hessians = term.element_gradients(x), term.element_hessians(x)
    assert np.abs(gradients).max() > 1.0
    m, k = term.elements.shape
    found = np.einsum("mai,mai->m", gradients, d[term.elements])
    np.testing.assert_allclose(found, along(term.element_values, x, d), rtol=0, atol=1e-8 * np.abs(gradients).max())
    turned = np.einsum("mij,mj->mi", hessians, d[term.elements].reshape(m, -1)).reshape(m, k, 3)
    np.testing.assert_allclose(turned, along(term.element_gradients, x, d), rtol=0, atol=1e-8 * np.abs(hessians).max())
    projected = term.projected_hessians(x)
    assert np.linalg.eigvalsh(projected).min() >= -1e-12 * np.abs(hessians).max()
    positive = np.linalg.eigvalsh(hessians)[:, 0] >= -1e-12 * np.abs(hessians).max()
    np.testing.assert_allclose(projected[positive], hessians[positive], atol=1e-12 * np.abs(hessians).max())


@pytest.mark.parametrize("project", [False, True])
@pytest.mark.parametrize("name", CASES)
def test_fused_sums_of_stencils(name: str, project: bool) -> None:
    rest, make = CASES[name]
    term = make()
    system = build_system(rest, np.ones(len(rest)), [term])
    xs = np.stack([moved(rest, seed) for seed in (1, 2)])
    samples = Samples(xs, np.array([0.5, 1.5]), np.array([0.2, 0.7]), np.array([2.0, 0.1]))
    [(_, value, gradient)] = system.potential.contributions(samples)
    wanted, K = np.zeros_like(gradient), np.zeros((3 * len(rest),) * 2)
    for x, force, curvature in zip(xs, samples.force, samples.curvature, strict=True):
        hessians = term.projected_hessians(x) if project else term.element_hessians(x)
        for e, corners in enumerate(term.elements):
            wanted[corners] += force * term.element_gradients(x)[e]
            at = (3 * corners[:, None] + np.arange(3)).ravel()
            K[np.ix_(at, at)] += curvature * hessians[e]
    energies = [term.element_values(x).sum() for x in xs]
    assert value == pytest.approx(0.5 * energies[0] + 1.5 * energies[1], rel=1e-12)
    np.testing.assert_allclose(gradient, wanted, rtol=0, atol=1e-12 * np.abs(wanted).max())
    values = np.zeros(system.pattern.nnz)
    system.potential.add_hessian(samples, values, project=project)
    np.testing.assert_allclose(dense(system, values), K, rtol=0, atol=1e-12 * np.abs(K).max())


@pytest.mark.parametrize("name", CASES)
def test_stencils_neither_push_nor_turn(name: str) -> None:
    rest, make = CASES[name]
    term, x, y = make(), moved(rest, 3), moved(rest, 4)
    for place, gradients in ((x, term.element_gradients(x)), (0.5 * (x + y), term.element_mean_gradients(x, y))):
        size = np.abs(gradients).max()
        assert np.abs(gradients.sum(axis=1)).max() <= 1e-13 * size
        torque = np.cross(place[term.elements], gradients).sum(axis=1)
        assert np.abs(torque).max() <= 1e-13 * size * np.abs(place).max()
    mean = np.einsum("mai,mai->m", term.element_mean_gradients(x, y), (y - x)[term.elements])
    change = term.element_values(y) - term.element_values(x)
    np.testing.assert_allclose(mean, change, rtol=0, atol=1e-12 * np.abs(change).max())
    slopes = along(lambda z: term.element_mean_gradients(x, z), y, x)
    m, k = term.elements.shape
    jacobians = term.element_mean_jacobians(x, y)
    found = np.einsum("mij,mj->mi", jacobians, x[term.elements].reshape(m, -1)).reshape(m, k, 3)
    np.testing.assert_allclose(found, slopes, rtol=0, atol=1e-8 * np.abs(jacobians).max() * np.abs(x).max())


@pytest.mark.parametrize("name", ["quadratic", "rod"])
def test_rigid_motion_of_a_straight_body_stores_nothing(name: str) -> None:
    rest, make = CASES[name]
    term, bent = make(), moved(rest, 5)
    assert term.degree == 2
    assert term.element_values(moved(rest, 5, size=0.0)).sum() <= 1e-24 * term.element_values(bent).sum()
    again = term.resting_at(bent)
    assert again is not None
    assert again.degree is None
    turned = np.ascontiguousarray(bent[:, [1, 2, 0]] + [3.0, -2.0, 1.0])
    assert again.element_values(turned).sum() <= 1e-24 * term.element_values(bent).sum()


def fold(angle: float) -> tuple[Array, Ints]:
    """Two triangles of unlike shape, the second turned by an angle about their common edge."""
    c, s = np.cos(angle), np.sin(angle)
    x = np.array([[0.0, 0.0, 0.0], [1.2, 0.0, 0.0], [0.3, 0.8, 0.0], [0.5, -0.6 * c, 0.6 * s]])
    return x, np.array([[0, 1, 2], [1, 0, 3]], dtype=np.int32)


def resistance(angle: float) -> float:
    """f of an angle by integrating f', which is 2 d up to 3/4 pi and then a quintic down to 0 at pi."""
    c, w = 0.75 * np.pi, 0.25 * np.pi
    square = min(abs(angle), c) ** 2
    u = np.linspace(0.0, max(abs(angle) - c, 0.0) / w, 20001)
    down = 2 * c * (1 - 10 * u**3 + 15 * u**4 - 6 * u**5) + 2 * w * (u - 6 * u**3 + 8 * u**4 - 3 * u**5)
    down -= 3 * c * (-4 * u**3 + 7 * u**4 - 3 * u**5)
    return float(square + w * np.trapezoid(down, u))


def test_the_force_does_not_jump_where_triangles_lie_on_each_other() -> None:
    (flat, triangles), near = fold(0.0), 1e-6
    dihedral = DihedralBending(flat, triangles, 2.0)
    forces = [dihedral.element_gradients(fold(s * (np.pi - near))[0]) for s in (1, -1)]
    assert np.abs(forces[0] - forces[1]).max() <= 1e-3
    assert np.abs(dihedral.element_gradients(fold(0.7 * np.pi)[0])).max() > 10.0


@pytest.mark.parametrize("angle", [1e-3, 0.4, 1.5, 3.0, -2.5])
def test_folds(angle: float) -> None:
    (flat, triangles), (x, _) = fold(0.0), fold(angle)
    weight = 6.0 * 1.2 / 1.4
    dihedral, quadratic = DihedralBending(flat, triangles, 2.0), QuadraticBending(flat, triangles, 2.0)
    assert np.abs(dihedral.angles(x)) == pytest.approx(abs(angle), rel=1e-9)
    assert dihedral.angles(x) == pytest.approx(-dihedral.angles(fold(-angle)[0]), rel=1e-12)
    assert dihedral.element_values(x).sum() == pytest.approx(2.0 * weight * resistance(angle), rel=1e-7)
    assert quadratic.element_values(x).sum() == pytest.approx(2.0 * weight * 4.0 * np.sin(angle / 2) ** 2, rel=1e-9)
    bent = DihedralBending(x, triangles, 2.0)
    assert bent.element_values(x).sum() <= 1e-24
    assert bent.element_values(flat).sum() == pytest.approx(2.0 * weight * resistance(angle), rel=1e-7)


def test_the_way_from_one_fold_to_the_other_is_the_short_one() -> None:
    triangles = fold(0.0)[1]
    term = DihedralBending(
        fold(0.0)[0], triangles, 1.0, rest_angle=DihedralBending(fold(3.0)[0], triangles, 1.0).rest_angle
    )
    assert term.element_values(fold(-3.0)[0])[0] == pytest.approx(6.0 * 1.2 / 1.4 * (2 * np.pi - 6.0) ** 2, rel=1e-9)


def test_a_collapsed_triangle_gives_no_number() -> None:
    x, triangles = fold(0.3)
    term = DihedralBending(x, triangles, 1.0)
    x = x.copy()
    x[2] = [0.5, 0.0, 0.0]
    assert not np.isfinite(build_system(x, np.ones(4), [term]).potential.gradient(x)).all()


def test_edges_of_one_or_three_triangles_do_not_bend() -> None:
    x = np.vstack([fold(0.0)[0], [[0.5, 0.0, 0.7]]])
    assert len(DihedralBending(x, np.array([[0, 1, 2]], np.int32), 1.0).elements) == 0
    assert len(DihedralBending(x, np.array([[0, 1, 2], [1, 0, 3], [0, 1, 4]], np.int32), 1.0).elements) == 0


def density(mesh: Mesh, x: Array, R: float) -> float:
    """E R^2/area for k = 1 of a smooth surface, away from borders, where hinges of one direction are missing."""
    term = DihedralBending(x, mesh.triangles, 1.0, rest_angle=0.0)
    share = inner_share(x, mesh.triangles)
    return float(share @ term.element_values(x) * R**2 / (share @ hinges(x, mesh.triangles).area))


def cap(pattern: str, n: int) -> float:
    """A flat pattern laid on a sphere, with distances from the middle kept."""
    mesh = sheet(pattern, 2 * n, 2 * n, 0.1 / n)
    u = mesh.vertices - mesh.vertices.mean(axis=0)
    s = np.linalg.norm(u, axis=1)
    x = u * np.sinc(s / np.pi)[:, None]
    x[:, 2] = np.cos(s)
    return density(mesh, x, 1.0)


def roll(pattern: str, n: int, degrees: float) -> float:
    """A flat pattern rolled along a direction at that angle to x."""
    mesh = sheet(pattern, 4 * n, 4 * n, 0.25 / n)
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    u, v = np.array([[c, s], [-s, c]]) @ mesh.vertices[:, :2].T
    return density(mesh, np.stack([np.sin(u), v, np.cos(u)], axis=1), 1.0)


@pytest.mark.parametrize(
    ("pattern", "ring", "sphere", "rising", "falling"),
    [("equilateral", 3.0, 4.0, 3.0, 3.0), ("alternating", 3.0, 6.0, 4.5, 4.5), ("diagonal", 3.0, 6.0, 9.0, 3.0)],
)
def test_limits_of_each_family(pattern: str, ring: float, sphere: float, rising: float, falling: float) -> None:
    errors = []
    for n in (1, 2, 4):
        length = 6 * n * (ROW if pattern == "equilateral" else 1.0) * np.pi / (6 * n)
        tube = Tube(radius=1.0, length=length, cells=(12 * n, 6 * n), pattern=pattern).mesh()
        errors.append(density(tube, tube.vertices, 1.0) - ring)
    assert errors[2] < 2e-3 * ring
    assert np.log2(errors[1] / errors[2]) == pytest.approx(2.0, abs=0.1)
    assert cap(pattern, 12) == pytest.approx(sphere, rel=5e-3)
    assert roll(pattern, 10, 45.0) == pytest.approx(rising, rel=7e-3)
    assert roll(pattern, 10, -45.0) == pytest.approx(falling, rel=7e-3)


def test_an_icosphere_is_nearly_equilateral() -> None:
    found = [
        density(mesh, mesh.vertices, 2.0) for s in (2, 3, 4) for mesh in [Sphere(radius=2.0, subdivisions=s).mesh()]
    ]
    assert found[2] == pytest.approx(4.06, abs=0.01)
    assert abs(found[2] - found[1]) < 0.3 * abs(found[1] - found[0])


FORMS = {
    ("equilateral", False): [[3.0, -1.0, 0.0], [-1.0, 3.0, 0.0], [0.0, 0.0, 8.0]],
    ("equilateral", True): [[3.0, -1.0, 0.0], [-1.0, 3.0, 0.0], [0.0, 0.0, 8.0]],
    ("alternating", False): [[3.0, 0.0, 0.0], [0.0, 3.0, 0.0], [0.0, 0.0, 12.0]],
    ("alternating", True): [[2.5, -0.5, 0.0], [-0.5, 2.5, 0.0], [0.0, 0.0, 12.0]],
    ("diagonal", False): [[3.0, 0.0, 3.0], [0.0, 3.0, 3.0], [3.0, 3.0, 18.0]],
    ("diagonal", True): [[3.0, 0.0, 3.0], [0.0, 3.0, 3.0], [3.0, 3.0, 18.0]],
}


@pytest.mark.parametrize(("pattern", "relaxed"), FORMS)
def test_forms_of_each_family(pattern: str, relaxed: bool) -> None:
    mesh = sheet(pattern, 40, 40, 0.1)
    form = bending_form(mesh.vertices, mesh.triangles, relaxed=relaxed)
    np.testing.assert_allclose(form, FORMS[pattern, relaxed], atol=0.08)
    lying = np.ascontiguousarray(mesh.vertices[:, [0, 2, 1]])
    np.testing.assert_allclose(np.diag(bending_form(lying, mesh.triangles, relaxed)), np.diag(form), rtol=1e-9)


@pytest.mark.parametrize(
    ("pattern", "along_x", "along_45"),
    [("equilateral", 16 / 3, 16 / 3), ("alternating", 4.8, 6.0), ("diagonal", 4.8, 12.0)],
)
def test_rigidity_of_strips(pattern: str, along_x: float, along_45: float) -> None:
    form = np.array(FORMS[pattern, True])
    assert strip_rigidity(form, (2.0, 0.0)) == pytest.approx(along_x, rel=1e-12)
    assert strip_rigidity(form, (1.0, 1.0)) == pytest.approx(along_45, rel=1e-12)


def test_a_curved_mesh_gets_the_average_of_directions() -> None:
    mesh = Sphere(subdivisions=3).mesh()
    assert bending_stiffness(mesh.vertices, mesh.triangles, 1.0) == pytest.approx(3 / 16, rel=0.02)
    grid = Tube(cells=(60, 30), length=np.pi / 4, pattern="diagonal").mesh()
    form = bending_form(grid.vertices, grid.triangles)
    # p H^2 + q D^2 with p = 6, q = 12
    np.testing.assert_allclose(form, [[4.5, -1.5, 0.0], [-1.5, 4.5, 0.0], [0.0, 0.0, 12.0]], atol=0.05)


def cantilever(kind: type[EnergyTerm], pattern: str, n: int, turned: bool) -> tuple[float, float]:
    """Deflection of the end of a clamped strip of length 1 over Euler-Bernoulli's: load at the end, own weight."""
    EI, extra = 2.0, 2 if turned else 1
    if turned:  # rows across the strip
        a = 1.0 / (n * (ROW if pattern == "equilateral" else 1.0))
        mesh = sheet(pattern, n // 5, n + extra, a)
        u, v = mesh.vertices[:, 1] - extra / n, mesh.vertices[:, 0]
    else:
        mesh = sheet(pattern, n + extra, n // 5, 1.0 / n)
        u, v = mesh.vertices[:, 0] - 1.0 / n, mesh.vertices[:, 1]
    way = (0.0, 1.0) if turned else (1.0, 0.0)
    k = bending_stiffness(mesh.vertices, mesh.triangles, EI, None if pattern == "equilateral" else way)
    system = build_system(mesh.vertices, np.ones(mesh.n), [kind(mesh.vertices, mesh.triangles, k)])
    values = np.zeros(system.pattern.nnz)
    system.potential.add_hessian(one_sample(mesh.vertices), values)
    free, end = u > 1e-9, np.abs(u - 1.0) < 1e-9
    K = dense(system, values)[2::3, 2::3][np.ix_(free, free)]
    corners = mesh.vertices[mesh.triangles]
    area = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1) / 2
    weight = np.bincount(mesh.triangles.ravel(), np.repeat(area / 3, 3), minlength=mesh.n)
    order = np.flatnonzero(end)[np.argsort(v[end])]
    load = np.zeros(mesh.n)
    load[order] = np.gradient(v[order]) * np.where(np.isin(order, order[[0, -1]]), 0.5, 1.0)
    load /= load.sum()
    z = np.zeros((mesh.n, 2))
    z[free] = np.linalg.solve(K, np.stack([load, weight], axis=1)[free])
    tip = z[end].mean(axis=0)
    return tip[0] * 3.0 * EI * np.ptp(v), tip[1] * 8.0 * EI


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("pattern", ["equilateral", "alternating", "diagonal"])
@pytest.mark.parametrize("kind", [DihedralBending, QuadraticBending])
def test_strips_bend_as_beams(kind: type[EnergyTerm], pattern: str, turned: bool) -> None:
    coarse, fine = cantilever(kind, pattern, 20, turned), cantilever(kind, pattern, 40, turned)
    allowed = 0.05 if pattern == "equilateral" else 0.07
    assert coarse == pytest.approx((1.0, 1.0), abs=allowed)
    assert fine == pytest.approx((1.0, 1.0), abs=0.4 * allowed)


def test_both_models_agree_for_small_angles() -> None:
    mesh = sheet("equilateral", 12, 10, 0.1)
    ratios = []
    for R in (2.0, 4.0):
        u, v = mesh.vertices[:, 0], mesh.vertices[:, 1]
        x = np.stack([R * np.sin(u / R), v, R * np.cos(u / R)], axis=1)
        both = [
            kind(mesh.vertices, mesh.triangles, 1.0).element_values(x).sum()
            for kind in (DihedralBending, QuadraticBending)
        ]
        ratios.append(both[1] / both[0] - 1.0)
    assert abs(ratios[1]) < 1e-3
    assert ratios[0] / ratios[1] == pytest.approx(4.0, rel=0.05)


def test_a_rod_bends_as_a_beam() -> None:
    errors = []
    for n in (10, 20, 40):
        mesh = Rope(segments=n + 1, length=1.0 + 1.0 / n).mesh()
        term = RodBending(mesh.vertices, mesh.edges[mesh.edge_groups["stretch"]], 3.0)
        assert len(term.elements) == n
        system = build_system(mesh.vertices, np.ones(mesh.n), [term])
        values = np.zeros(system.pattern.nnz)
        system.potential.add_hessian(one_sample(mesh.vertices), values)
        K = dense(system, values)[2::3, 2::3][2:, 2:]
        errors.append(np.linalg.solve(K, np.eye(n)[-1])[-1] * 9.0 - 1.0)
    assert abs(errors[2]) < 0.04
    assert errors[1] / errors[2] == pytest.approx(2.0, rel=0.05)  # the clamp is known to half an edge
    turn = np.linspace(0.0, 1.0, 101)
    circle = np.stack([np.sin(turn), 1.0 - np.cos(turn), 0 * turn], axis=1)
    straight = np.outer(turn, [1.0, 0.0, 0.0])
    edges = np.stack([np.arange(100), np.arange(1, 101)], axis=1).astype(np.int32)
    assert RodBending(straight, edges, 3.0).element_values(circle).sum() == pytest.approx(1.5 * 0.99, rel=1e-4)


def test_a_tumbling_shell_keeps_energy_and_momenta() -> None:
    mesh = sheet("equilateral", 3, 3, 0.3)
    X, mass = mesh.vertices, np.linspace(0.01, 0.02, mesh.n)
    terms = [
        HookeSprings(X, mesh.edges[mesh.edge_groups["stretch"]], 100.0),
        ElementAreas(X, mesh.triangles, 10.0),
        DihedralBending(X, mesh.triangles, 1e-2),
        QuadraticBending(X, mesh.triangles, 1e-2),
    ]
    system = build_system(X, mass, terms)
    v = np.cross([1.0, 2.0, 3.0], X) + 0.5 * np.sin(7.0 * X[:, [1, 0, 0]]) * [0.2, 0.2, 1.0]
    found = []
    for frame in simulate(system, SimoTarnow(), State(0.0, X, v), 1 / 30, 15):
        x, v = frame.state.x, frame.state.v
        elastic = sum(system.potential.by_group(x).values())
        kinetic = 0.5 * float(mass @ (v**2).sum(axis=1))
        found.append([kinetic + elastic, elastic, *(mass @ v), *(mass @ np.cross(x, v))])
    kept = np.delete(np.array(found), 1, axis=1)
    assert np.array(found)[:, 1].max() > 0.01 * kept[0, 0]
    assert np.abs(kept - kept[0]).max() <= 1e-12 * np.abs(kept[0]).max()


def _bad(kind: type, **options: float) -> Callable[[], object]:
    return lambda: kind(SHEET.vertices, SHEET.triangles, *options.values())


FLATTENED = np.where(
    np.arange(SHEET.n)[:, None] == SHEET.triangles[4, 0], SHEET.vertices[SHEET.triangles[4, 1]], SHEET.vertices
)


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (_bad(DihedralBending, k=-1.0), SuppleError, "bending stiffness: must be finite and not negative"),
        (_bad(QuadraticBending, k=np.nan), SuppleError, "bending stiffness: must be finite"),
        (_bad(bending_stiffness, rigidity=-2.0), SuppleError, "bending rigidity: found -2"),
        (lambda: RodBending(ROD, SEGMENTS, -1.0), SuppleError, "rod rigidity: must be finite"),
        (
            lambda: DihedralBending(FLATTENED, SHEET.triangles, 1.0),
            MeshError,
            r"bending: \d+ triangles have no area, .* triangle",
        ),
        (
            lambda: QuadraticBending(*fold(0.5), 1.0),
            MeshError,
            r"1 edges are bent at rest, the first between vertices 0 and 1 by 0\.495 rad; .* take dihedral bending",
        ),
        (
            lambda: RodBending(moved(ROD, 1), SEGMENTS, 1.0),
            MeshError,
            r"rod bending: 4 vertices are bent at rest, the first is vertex 1 by .* take bend springs",
        ),
        (
            lambda: RodBending(np.zeros_like(ROD), SEGMENTS, 1.0),
            MeshError,
            "rod bending: an edge at vertex 1 has no length",
        ),
        (lambda: bending_stiffness(*fold(0.0), 1.0), SuppleError, "needs three edges between two triangles"),
    ],
)
def test_what_cannot_bend_is_refused(make: Callable[[], object], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        make()
