"""Basis of hard steps: friction with a second unknown, kicks, bodies moved along, elements projected where needed."""

from typing import Any

import numpy as np
import pytest

import supple as sp
from builders import Setup, drift, hold, run
from supple.constraints.motion import Motion
from supple.constraints.scripts import Translate
from supple.contact.barrier_law import Barrier
from supple.contact.friction import FrozenFriction, Slide
from supple.contact.obstacles.mean_normal import mean_normal, mean_normal_jacobian
from supple.contact.obstacles.obstacle import ObstacleContact
from supple.contact.obstacles.shapes import BoxShape, SphereShape
from supple.contact.surfaces.barrier_contact import BarrierContact
from supple.contact.surfaces.pair_means import add_mean_potentials, mean_potential, mean_potential_hessians
from supple.contact.surfaces.pairs import EDGE_EDGE, POINT_TRIANGLE
from supple.contact.surfaces.surface import ContactSurface
from supple.contact.surfaces.surface_barrier import barrier
from supple.dynamics.contact.kick import kicked
from supple.dynamics.path import Path
from supple.dynamics.state import State
from supple.dynamics.system import System, build_system
from supple.energies.samples import one_sample
from supple.energies.solids.solid import Solid
from supple.energies.touch import Touch
from supple.errors import StageNotConverged
from supple.integrators.implicit.avf import AVF
from supple.integrators.implicit.backward_euler import BackwardEuler
from supple.linalg.quadrature import gauss
from supple.materials.stvk import StVK
from supple.mesh.measure import lumped_mass
from supple.mesh.shapes.solid import Bar, Cube
from supple.mesh.topology import boundary_triangles
from supple.model.assemble import assemble
from supple.solvers.tools import StepTools
from supple.types import Array

RNG = np.random.default_rng(11)


def sliding() -> FrozenFriction:
    normals = np.tile([0.0, 1.0, 0.0], (5, 1))
    touch = Touch(np.arange(5, dtype=np.int32)[:, None], np.ones((5, 1)), normals, np.ones(5))
    return FrozenFriction([Slide(touch, np.full(5, 0.4))], 1e-3)


def test_safe_friction_begins_above_and_ends_exact() -> None:
    """At first a quadratic that lies above; where the iterations stand still, the second derivatives themselves."""
    friction, v = sliding(), RNG.standard_normal((5, 3))
    value, slope = energy(friction, v)
    ((_, first),) = friction.safe_coupling_blocks(one_sample(v), project=False)
    for _ in range(50):
        d = RNG.standard_normal((5, 3)) * RNG.choice([1e-4, 1e-2, 1.0, 3.0])
        quadratic = value + np.vdot(slope, d) + 0.5 * np.einsum("mi,mij,mj->", d, first, d)
        assert energy(friction, v + d)[0] <= quadratic + 1e-12
    for _ in range(8):
        v = v + 1e-9 * RNG.standard_normal((5, 3))
        ((_, safe),) = friction.safe_coupling_blocks(one_sample(v), project=False)
    ((_, exact),) = friction.coupling_blocks(one_sample(v), project=False)
    np.testing.assert_allclose(safe, exact, rtol=0, atol=1e-6)


def test_safe_friction_is_never_indefinite() -> None:
    friction, v = sliding(), RNG.standard_normal((5, 3))
    for _ in range(100):
        ((_, H),) = friction.safe_coupling_blocks(one_sample(v), project=False)
        assert np.linalg.eigvalsh(H).min() >= -1e-12 * np.abs(H).max()
        v = v + RNG.standard_normal((5, 3)) * RNG.choice([1e-4, 1e-2, 1.0])


def energy(friction: FrozenFriction, v: Array) -> tuple[float, Array]:
    gradient = np.zeros_like(v)
    return friction.add_value_gradient(one_sample(v), None, gradient), gradient


@pytest.mark.parametrize(
    "shape", [SphereShape((0.0, 0.0, 0.0), 0.5), BoxShape((0.0, 0.0, 0.0), (1.0, 0.6, 0.8), (0.0, 0.0, 0.0))]
)
def test_mean_normals_close_and_are_differentiated(shape: SphereShape | BoxShape) -> None:
    y0 = np.array([[0.0, 0.55, 0.0], [0.45, 0.5, 0.1], [-0.52, 0.35, 0.0]])
    y1 = y0 + 0.2 * RNG.standard_normal((3, 3))
    reach = 0.3

    def deep(y: Array) -> Array:
        return np.maximum(reach - shape.distance(y), 0.0)

    def mean(y: Array) -> Array:
        return mean_normal(shape, y0, y, deep(y0), deep(y))

    change = shape.distance(y1) - shape.distance(y0)
    np.testing.assert_allclose(np.einsum("mi,mi->m", mean(y1), y1 - y0), change, atol=1e-14)
    J = mean_normal_jacobian(shape, y0, y1, deep(y0), deep(y1))
    for k in range(3):
        e = 1e-6 * np.eye(3)[k]
        np.testing.assert_allclose(J[:, :, k], (mean(y1 + e) - mean(y1 - e)) / 2e-6, atol=1e-6)


def test_what_comes_from_afar_is_pushed_where_it_touches() -> None:
    box = BoxShape((0.0, 0.0, 0.0), (1.0, 1.0, 1.0), (0.0, 0.0, 0.0))
    far, near = np.array([[2.0, 0.3, 0.0]]), np.array([[0.4, 0.51, 0.0]])
    n = mean_normal(box, far, near, np.zeros(1), np.full(1, 0.04))
    along = (near - far) / np.linalg.norm(near - far)
    across = n - (n @ along.T) * along
    exact = np.array([[0.0, 1.0, 0.0]])
    np.testing.assert_allclose(across, exact - (exact @ along.T) * along, atol=1e-14)


def over_an_edge() -> tuple[Setup, ObstacleContact]:
    """A soft cube that slides over the edge of a box."""
    mesh = Cube(cells=2, size=0.2, origin=(0.32, 0.506, -0.1)).mesh()
    mass = lumped_mass(mesh, density=1000.0)
    box = BoxShape((0.0, 0.0, 0.0), (1.0, 1.0, 1.0), (0.0, 0.0, 0.0))
    contact = ObstacleContact(box, Barrier(1e6, 0.01), np.arange(mesh.n), 1e-2)
    system = build_system(mesh.vertices, mass, [Solid(mesh.vertices, mesh.tets, StVK(1e4, 1e4)), contact])
    return (system, State(0.0, mesh.vertices, np.tile([3.0, -0.6, 0.0], (mesh.n, 1)))), contact


def test_a_kick_closes_the_energy_and_only_that() -> None:
    (system, state), _ = over_an_edge()
    x1 = state.x + np.array([0.085, -0.002, 0.0])  # the middle of the cube reaches the edge
    path = Path(system.potential, state.x, gauss(2))
    v = 10.0 * state.v
    v1 = kicked(system, path, state.x, x1, v)
    assert v1 is not None
    lacking = np.vdot(exact_force(system, state.x, x1) - path.closed_part(x1), x1 - state.x)
    gained = 0.5 * np.vdot(system.mass[:, None] * v1, v1) - 0.5 * np.vdot(system.mass[:, None] * v, v)
    assert abs(lacking) > 1e-6
    assert gained == pytest.approx(-lacking, rel=1e-9)
    assert kicked(system, path, state.x, x1, 1e-6 * v) is None  # nothing to take it from


def exact_force(system: System, x0: Array, x1: Array) -> Array:
    term = system.potential.terms[-1]
    out = np.zeros_like(x1)
    np.add.at(out, term.elements[:, 0], term.element_mean_gradients(x0, x1)[:, 0])
    return out


def test_steps_whose_equation_has_no_solution_keep_the_energy(monkeypatch: pytest.MonkeyPatch) -> None:
    def unsolved(self: StepTools, equation: object, patience: int = 0) -> Array:
        raise StageNotConverged("no", self.report)

    monkeypatch.setattr(StepTools, "root", unsolved)
    setup, contact = over_an_edge()
    frames = run(setup, AVF(), 1 / 120, 20)
    assert min(contact.gaps(frame.state.x).min() for frame in frames[1:]) < contact.law.reach
    assert not any(frame.exceptional for frame in frames)
    assert drift(frames) <= 1e-10


@pytest.mark.parametrize("method", [BackwardEuler(), AVF()], ids=["backward-euler", "avf"])
def test_a_paddle_lifts_a_body_without_pieces(method: BackwardEuler | AVF) -> None:
    """It moves by five contact distances in a step; the body would be behind its face if it were not moved along."""
    mesh, paddle = (
        Cube(cells=2, size=0.1, origin=(0.0, 0.004, 0.0)).mesh(),
        Bar(cells=(1, 1, 1), size=(0.3, 0.03, 0.3)).mesh(),
    )
    n = mesh.n
    rest = np.vstack([mesh.vertices, paddle.vertices - np.array([0.1, 0.03, 0.1])])
    triangles = np.vstack([boundary_triangles(mesh.tets), boundary_triangles(paddle.tets) + n]).astype(np.int32)
    patches = np.where(np.arange(len(rest)) < n, 0, 1)
    mass = np.concatenate([lumped_mass(mesh, density=1000.0), np.ones(paddle.n)])
    contact = BarrierContact(ContactSurface(rest, triangles, patches), 0.002, 2e6)
    motion = Motion((hold(np.arange(n, len(rest)), rest, Translate((0.0, 0.6, 0.0))),))
    system = build_system(rest, mass, [Solid(rest, mesh.tets, StVK(1e5, 1e5)), contact], motion)
    v = np.zeros_like(rest)
    v[n:, 1] = 0.6
    frames = run((system, State(0.0, rest, v)), method, 1 / 60, 6)
    assert not any(frame.rejected for frame in frames)
    assert frames[-1].state.x[:n, 1].min() > frames[-1].state.x[n:, 1].max()


@pytest.mark.parametrize("offset", [0.0, 1e-3])
@pytest.mark.parametrize("start", [0.3, 0.9, 1.5, 20.0])
@pytest.mark.parametrize("end", [0.01, 0.2, 0.6, 0.9, 1.2, 3.0])
def test_the_potential_of_a_pair_over_a_step(offset: float, start: float, end: float) -> None:
    """Its slope is the quotient, whether the pair begins or ends within reach or not."""
    dhat, kappa, e = 2e-3, 2e5, 2e-9
    d0, d1 = offset + start * dhat, offset + end * dhat
    (up, ahead, _), (down, behind, _) = (mean_potential(d0, d1 + s * e, offset, dhat, kappa) for s in (1, -1))
    _, Q, dQ = mean_potential(d0, d1, offset, dhat, kappa)
    phi0, phi1 = (barrier(d * d, offset, dhat, kappa)[0] for d in (d0, d1))
    assert Q * (d1 - d0) == pytest.approx(phi1 - phi0, rel=1e-9)
    assert (up - down) / (2 * e) == pytest.approx(Q, rel=1e-5)
    assert (ahead - behind) / (2 * e) == pytest.approx(dQ, rel=1e-5)


@pytest.mark.parametrize("kind", [POINT_TRIANGLE, EDGE_EDGE])
def test_pairs_over_a_step_are_differentiated(kind: int) -> None:
    x0 = np.array([[0.2, 0.006, 0.3], [0.0, 0.0, 0.0], [1.0, 0.0, 0.1], [0.1, 0.0, 1.0]])
    if kind == EDGE_EDGE:
        x0 = np.array([[0.0, 0.006, 0.0], [1.0, 0.006, 0.02], [0.5, 0.0, -0.5], [0.6, 0.0, 0.5]])
    x = x0 + np.array([[0.003, -0.003, 0.001], [0.002, -0.003, 0.0], [0.0, 0.0, 0.0], [0.001, 0.0, 0.0]])
    pairs = np.arange(4, dtype=np.int32)[None], np.ones(1), np.full(1, 10.0), np.zeros(1), 0.005, 1e4

    def evaluated(y: Array) -> tuple[float, Array]:
        gradient = np.zeros_like(y)
        return add_mean_potentials(kind, x0, y, *pairs, 1.0, gradient), gradient

    _, gradient = evaluated(x)
    H = mean_potential_hessians(kind, x0, x, *pairs, 1.0, False)
    assert np.abs(gradient).max() > 1e-3
    for _ in range(5):
        d = RNG.standard_normal((4, 3))
        e = 1e-8
        (up, ahead), (down, behind) = (evaluated(x + s * e * d) for s in (1, -1))
        assert (up - down) / (2 * e) == pytest.approx(np.vdot(gradient, d), rel=1e-4)
        bent = (H[0] @ d.ravel()).reshape(4, 3)
        np.testing.assert_allclose((ahead - behind) / (2 * e), bent, rtol=0, atol=1e-4 * np.abs(bent).max())


@pytest.mark.parametrize(
    ("method", "scaled"),
    [
        pytest.param(AVF(), False, id="avf-moves"),
        pytest.param(BackwardEuler(), True, id="backward-euler-grows"),
        pytest.param(AVF(), True, marks=pytest.mark.study, id="avf-grows"),
        pytest.param(BackwardEuler(), False, marks=pytest.mark.study, id="backward-euler-moves"),
    ],
)
def test_a_ball_pushes_a_pinned_cloth_without_pieces(method: BackwardEuler | AVF, scaled: bool) -> None:
    """It moves, or grows, by several contact distances in a step; the cloth cannot go along as a whole."""
    last: dict[str, Any] = {"scale": 2.5} if scaled else {"offset": (0.0, 0.0, 0.15)}
    moves = sp.Moves(
        keyframes=(sp.Keyframe(0.0, (0, 0, 0), scale=1.0), sp.Keyframe(0.2, **last)), interpolation="smooth"
    )
    sheet = sp.Body(
        sp.Cloth(cells=(8, 8), size=(0.3, 0.3), plane="xy", origin=(-0.15, -0.15, 0.06)), sp.StVKMembrane(2e4),
        name="cloth", thickness=2e-3, density=300.0, pin="top",
    )  # fmt: skip
    ball = sp.MeshObstacle(sp.Sphere(radius=0.05, subdivisions=2), name="ball", motion=moves)
    model = assemble(sp.World([sheet], obstacles=[ball], contact=sp.Contact(distance=0.002)), h=1 / 100, duration=0.2)
    frames = list(sp.simulate(model, method, h=1 / 100, steps=20))
    assert not any(frame.rejected for frame in frames)
    assert len(frames) == 21
    radius, middle = (0.125, 0.0) if scaled else (0.05, 0.15)
    cloth = frames[-1].state.x[model.placed[0].span]
    assert np.linalg.norm(cloth - np.array([0.0, 0.0, middle]), axis=1).min() > 0.98 * radius
