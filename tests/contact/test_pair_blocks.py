"""Blocks of pairs against their formulas over whole arrays: projections by the library, presses and friction by sums."""

import numpy as np
import pytest
from touching_bodies import DHAT, cube_pair

from supple.contact.friction import Friction, FrozenFriction, Slide
from supple.contact.surfaces.barrier_contact import BarrierContact
from supple.contact.surfaces.pair_energy import hessians
from supple.contact.surfaces.pairs import EDGE_EDGE, POINT_TRIANGLE, closest_coefficients
from supple.contact.surfaces.surface import ContactSurface
from supple.energies.roles.couplings import ChangingCouplings
from supple.energies.samples import one_sample
from supple.types import Array, Ints

RNG = np.random.default_rng(11)
CREEP = 0.3


def pairs(kind: int, thickness: float) -> tuple[Ints, Array, tuple[Array, Array, Array, float, float]]:
    """Pairs within reach whose closest points lie anywhere, with nearly parallel edges among them, and their law."""
    m = 400
    x = RNG.uniform(-1.0, 1.0, (m, 4, 3))
    if kind == EDGE_EDGE:
        x[: m // 2, 3] = x[: m // 2, 2] + (x[: m // 2, 1] - x[: m // 2, 0]) * RNG.uniform(0.5, 2.0, (m // 2, 1))
        x[: m // 2] += 0.02 * RNG.standard_normal((m // 2, 4, 3))
    c = closest_coefficients(kind, x)
    r = np.einsum("ma,mai->mi", c, x)
    wanted = RNG.uniform(0.02, 0.19, (m, 1)) + thickness
    first = 2 if kind == EDGE_EDGE else 1
    x[:, :first] += ((wanted / np.linalg.norm(r, axis=1)[:, None] - 1.0) * r)[:, None]
    corners = np.arange(4 * m, dtype=np.int32).reshape(m, 4)
    return corners, x.reshape(-1, 3), (RNG.uniform(0.5, 2.0, m), np.full(m, 0.5), np.full(m, thickness), 0.2, 10.0)


def library(H: Array) -> Array:
    values, vectors = np.linalg.eigh(H)
    return np.asarray((vectors * np.maximum(values, 0.0)[:, None]) @ vectors.transpose(0, 2, 1))


def agree(found: Array, wanted: Array, tolerance: float = 2e-14) -> None:
    size = np.abs(wanted).reshape(len(wanted), -1).max(axis=1)
    assert (np.abs(found - wanted).reshape(len(wanted), -1).max(axis=1) <= tolerance * size + 1e-300).all()


@pytest.mark.parametrize("kind", [POINT_TRIANGLE, EDGE_EDGE])
@pytest.mark.parametrize("thickness", [0.0, 0.05])
def test_projected_blocks_are_the_nearest_positive_ones(kind: int, thickness: float) -> None:
    corners, x, law = pairs(kind, thickness)
    plain, found = (hessians(kind, x, corners, *law, 3.0, project) for project in (False, True))
    free = (np.abs(closest_coefficients(kind, x[corners])) > 0.0).sum(axis=1)
    assert len(set(free)) == 3  # vertices, edges and insides
    assert (np.linalg.eigvalsh(plain)[:, 0] < -1e-9).mean() > 0.9
    size = np.abs(plain).max(axis=(1, 2))
    assert (np.abs(found - library(plain)).max(axis=(1, 2)) <= 2e-14 * size).all()
    assert np.array_equal(found, hessians(kind, x, corners, *law, 3.0, True))


@pytest.fixture(scope="module")
def near() -> tuple[BarrierContact, Array, Array]:
    """Two crumpled cubes a few millimetres apart, before and after a step."""
    rest, _, triangles, _ = cube_pair(offset=0.1, gap=0.02)
    x0 = rest + 0.003 * np.random.default_rng(1).standard_normal(rest.shape)
    x1 = x0 + 0.002 * np.random.default_rng(2).standard_normal(rest.shape)
    return BarrierContact(ContactSurface(rest, triangles, np.arange(len(rest))), 2 * DHAT, 1e6), x0, x1


def test_blocks_over_a_step_are_projected_alike(near: tuple[BarrierContact, Array, Array]) -> None:
    contact, x0, x1 = near
    term = contact.averaged(x0)
    assert isinstance(term, ChangingCouplings)
    both = [term.coupling_blocks(one_sample(x1), project) for project in (False, True)]
    assert len(both[0]) == 2
    for (_, plain), (_, found) in zip(*both, strict=True):
        assert (np.abs(found - library(plain)).max(axis=(1, 2)) <= 2e-14 * np.abs(plain).max(axis=(1, 2))).all()


def test_presses_are_sums_of_mean_gradients(near: tuple[BarrierContact, Array, Array]) -> None:
    contact, x0, x1 = near
    means, jacobians = contact.coupling_means(x0, x1), contact.coupling_mean_jacobians(x0, x1)
    for kind, touch, (corners, g), (_, J) in zip((0, 1), contact.presses(x0, x1), means, jacobians, strict=True):
        side = 2 if kind == EDGE_EDGE else 1
        push, middle = -g[:, :side].sum(axis=1), 0.5 * (x0 + x1)[corners]
        agree(touch.force[:, None] * touch.normal, push)
        agree(np.linalg.norm(touch.normal, axis=1), np.ones(len(corners)))
        agree(touch.coefficients, closest_coefficients(kind, middle))
        assert touch.slope is not None
        pushed = J.reshape(-1, 4, 3, 12)[:, :side].sum(axis=1)
        agree(touch.slope, -np.einsum("mi,mij->mj", touch.normal, pushed).reshape(-1, 4, 3), 1e-12)


def test_friction_of_presses(near: tuple[BarrierContact, Array, Array]) -> None:
    """Coefficients, speeds that are stopped, slips, and derivatives through the pressing forces."""
    contact, x0, x1 = near
    n = len(x0)
    mu, mass, v = RNG.uniform(0.1, 0.5, n), RNG.uniform(0.1, 0.5, n), RNG.standard_normal((n, 3))
    friction, h = Friction(contact, mu, CREEP, mass), 1e-3
    for touch in contact.presses(x0, x1):
        c, corners, normal = touch.coefficients, touch.corners, touch.normal
        slide = Slide(touch, friction._coefficient(touch))
        agree(slide.mu, (np.abs(c) * mu[corners]).sum(axis=1) / np.abs(c).sum(axis=1))
        stopped = friction._stopped(slide, h)
        agree(stopped, np.maximum(CREEP, h * slide.mu * touch.force * (c**2 / mass[corners]).sum(axis=1)))
        moving = np.einsum("ma,mai->mi", c, v[corners])
        across = moving - np.einsum("mi,mi->m", moving, normal)[:, None] * normal
        agree(slide.at(v)[0], across, 1e-13)
        speed = np.linalg.norm(0.3 * across, axis=1)
        slow = speed < np.median(speed)
        ending = slide.ending(0.3 * v, np.where(slow, 1.01, 0.99) * speed)
        u = np.where(slow[:, None], 2.0 - 0.3, 1.0) * across
        agree(ending.at(v)[0], u, 1e-13)
        y = np.linalg.norm(u, axis=1)
        ratio = np.where(y < CREEP, 2.0 / CREEP - y / CREEP**2, 1.0 / y)
        ((_, found),) = FrozenFriction([ending], CREEP).end_couplings(v)
        wanted = np.einsum("ma,mi,mbj->maibj", c, (slide.mu * ratio)[:, None] * u, touch.slope)
        agree(found, wanted.reshape(found.shape), 1e-13)
