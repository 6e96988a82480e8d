"""Corrections of the paper on energy budgets, on springs along a line and in a triangle."""

import numpy as np
import pytest

from supple.dynamics.invariants import energies
from supple.dynamics.state import State
from supple.dynamics.system import build_system
from supple.energies.gravity import Gravity
from supple.energies.springs.springs import HookeSprings

DT = 0.05


def test_springs_have_lengths() -> None:
    """A spring that is turned has the energy that it had; the difference of coordinates has not."""
    rest = np.array([[0.0, 0, 0], [1, 0, 0]])
    spring = HookeSprings(rest, np.array([[0, 1]]), 10.0)
    turned = np.array([[0.0, 0, 0], [0, 1.2, 0]])
    assert build_system(rest, np.ones(2), [spring]).potential.by_group(turned)["elastic"] == pytest.approx(
        0.5 * 10.0 * 0.2**2, rel=1e-12
    )
    assert abs(0.5 * 10.0 * (turned[1, 0] - turned[0, 0] - 1.0) ** 2 - 0.2) > 1.0


class Chain:
    """Three masses on a line and two springs with the forces F1, F2; node 2 belongs to both."""

    m = np.array([1.0, 2.0, 0.7])
    v = np.array([0.3, -0.2, 0.5])
    F = np.array([1.7, -0.6])
    c = np.array([[-1.0, 1.0, 0.0], [0.0, -1.0, 1.0]])

    def gain(self) -> float:
        """Kinetic energy after the step minus that before it."""
        f = -self.c.T @ self.F
        new = self.v + DT * f / self.m
        return float(0.5 * self.m @ (new**2 - self.v**2))

    def shares(self, other: float, weight: float) -> np.ndarray:
        """-F D of each spring, where D is the change of its length: `other` times the part of the other spring, in which a
        force acts for `weight` times dt."""
        T = (self.c / self.m) @ self.c.T
        D = DT * self.c @ self.v - DT**2 * weight * np.diag(T) * self.F
        D -= other * DT**2 * weight * (T - np.diag(np.diag(T))) @ self.F
        return -self.F * D


def test_shares_of_springs_add_up() -> None:
    chain = Chain()
    assert chain.shares(1.0, 0.5).sum() == pytest.approx(chain.gain(), rel=1e-12)
    off = chain.shares(-1.0, 0.5).sum() - chain.gain()
    assert off == pytest.approx(2 * DT**2 * chain.F[0] * chain.F[1] / chain.m[1], rel=1e-12)


def test_positions_take_half_of_the_kick() -> None:
    chain = Chain()
    assert abs(chain.shares(1.0, 1.0).sum() - chain.gain()) > 1e-3


def test_a_scalar_force_along_the_spring() -> None:
    """|v + c F u|^2 = v^2 + 2 c F u.v + c^2 F^2 for a scalar F and a direction u of length 1."""
    v, u, c, F = np.array([0.2, 0.5, -0.1]), np.array([0.6, 0.0, 0.8]), 0.3, 1.4
    assert np.sum((v + c * F * u) ** 2) == pytest.approx(v @ v + 2 * c * F * (u @ v) + c**2 * F**2, rel=1e-14)


def test_every_node_has_its_own_mass() -> None:
    """Kinetic energy that an altitude spring of a triangle gives: exact with m3, off with m2 twice."""
    c, m = np.array([1.0, -0.3, -0.7]), np.array([1.0, 2.0, 0.5])
    u, v, F = np.array([0.0, 1.0]), np.array([[0.1, 0.4], [-0.3, 0.2], [0.2, -0.5]]), 1.1
    new = v - DT * F * np.outer(c / m, u)
    gain = 0.5 * float(m @ (new**2 - v**2).sum(axis=1))

    def by_length(masses: np.ndarray) -> float:
        return float(-F * (DT * (c @ v) @ u - 0.5 * DT**2 * F * (c**2 / masses).sum()))

    assert by_length(m) == pytest.approx(gain, rel=1e-12)
    assert abs(by_length(m[[0, 1, 1]]) - gain) > 1e-4


def test_the_correction_is_a_sum_over_nodes() -> None:
    rng = np.random.default_rng(1)
    m, v, f = rng.uniform(1, 2, 5), rng.normal(size=(5, 3)), rng.normal(size=(5, 3))
    s = 0.01
    gain = 0.5 * (m[:, None] * ((v + s * f / m[:, None]) ** 2 - v**2)).sum()
    P, Q = (v * f).sum(), (f * f / m[:, None]).sum()
    assert gain == pytest.approx(P * s + Q * s * s / 2, rel=1e-12)
    one = (v[0] * f[0]).sum() * s + (f[0] * f[0]).sum() / m[0] * s * s / 2
    assert abs(one - gain) > 1e-3


def test_energy_rises_with_the_height() -> None:
    mass = np.ones(1)
    low, high = (np.array([[0.0, y, 0.0]]) for y in (0.0, 2.0))
    system = build_system(low, mass, [Gravity(mass, (0.0, -9.8, 0.0))])
    at = [energies(system, State(0.0, x, np.zeros((1, 3)))).gravity for x in (low, high)]
    assert at[1] - at[0] == pytest.approx(2 * 9.8)


def spectral_radius(edges: np.ndarray, x: np.ndarray, z: float) -> float:
    """Of Jacobi's iteration for the forces of springs, (I + z T) F = b, where unit masses couple springs that share a node."""
    u = x[edges[:, 1]] - x[edges[:, 0]]
    u /= np.linalg.norm(u, axis=1)[:, None]
    c = np.zeros((len(edges), len(x)))
    c[np.arange(len(edges)), edges[:, 0]], c[np.arange(len(edges)), edges[:, 1]] = -1.0, 1.0
    T = (u @ u.T) * (c @ c.T)
    A = np.eye(len(edges)) + z * T
    return float(np.abs(np.linalg.eigvals(np.eye(len(edges)) - A / np.diag(A)[:, None])).max())


def test_jacobi_iterations_diverge_in_cloth() -> None:
    side = np.arange(6)
    x = np.stack([*np.meshgrid(side, side, indexing="ij"), np.zeros((6, 6))], axis=-1).reshape(-1, 3).astype(float)
    near = [(i, j) for i in range(36) for j in range(i) if np.linalg.norm(x[i] - x[j]) < 1.5]
    chain = np.array([(k, k + 1) for k in range(5)])
    for z in (0.1, 1.0, 100.0):
        assert spectral_radius(chain, x[::6][:6], z) < 1.0
    assert spectral_radius(np.array(near), x, 0.1) < 1.0 < spectral_radius(np.array(near), x, 1.0)
