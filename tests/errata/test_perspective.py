"""Corrections of the numerical perspective on deformable objects: formulas of steps, damping and contact."""

from typing import Any

import numpy as np
import pytest

import supple as sp
from supple.analysis.damping import damping_curves
from supple.contact.barrier_law import Barrier
from supple.integrators.implicit.backward_euler import BackwardEuler
from supple.integrators.implicit.bdf2 import BDF2
from supple.integrators.implicit.tr_bdf2 import SDIRK2, TRBDF2


def test_damping_takes_energy() -> None:
    K, M, v = np.diag([3.0, 1.0]), np.diag([1.0, 2.0]), np.array([0.4, -0.7])
    force = -(0.1 * K + 0.2 * M) @ v
    assert force @ v < 0.0 < -force @ v


def test_bdf2_keeps_a_constant() -> None:
    """A motion without forces: u1 = u0 + (u0 - u_-1)/3."""
    u = before = 2.0
    assert u + (u - before) / 3 == 2.0
    assert u + (u + before) / 3 > 3.0


def test_the_merit_is_a_square() -> None:
    """Along Newton's direction half the square falls by |r|^2 at first, and half the norm by |r|/2."""
    J, r = np.array([[2.0, 0.3], [-0.4, 1.0]]), np.array([0.3, -2.0])
    p, eps = -np.linalg.solve(J, r), 1e-7
    square = (0.5 * np.sum((r + eps * J @ p) ** 2) - 0.5 * np.sum(r**2)) / eps
    norm = (0.5 * np.linalg.norm(r + eps * J @ p) - 0.5 * np.linalg.norm(r)) / eps
    assert square == pytest.approx(p @ J.T @ r, rel=1e-5)
    assert norm == pytest.approx(-0.5 * np.linalg.norm(r), rel=1e-5)
    assert abs(norm - p @ J.T @ r) > 1.0


def test_newton_looks_where_it_is() -> None:
    """The root of x^2 = 2 from 2; with the residual of the start it goes past the root and on."""
    here = fixed = 2.0
    for _ in range(8):
        here -= (here**2 - 2) / (2 * here)
        fixed -= (2.0**2 - 2) / (2 * fixed)
    assert here == pytest.approx(np.sqrt(2), abs=1e-15)
    assert abs(fixed - np.sqrt(2)) > 0.1


def test_tets_of_the_beam() -> None:
    assert len(sp.Bar(cells=(32, 4, 4), size=(2.0, 0.25, 0.25)).mesh().tets) == 2560
    assert len(sp.Bar(cells=(24, 4, 4), size=(2.0, 0.25, 0.25)).mesh().tets) == 1920


def test_only_contacts_press() -> None:
    """Three vertices, of which one is within reach: its force is the only one of the sum."""
    law, d = Barrier(1e3, 0.01), np.array([0.005, 0.02, 1.0])
    slopes = law.slope(d)
    assert (slopes < 0.0).tolist() == [True, False, False]
    assert slopes.sum() == slopes[0]


def damping(method: Any, at: float) -> float:
    (point,) = damping_curves({"it": method}, (at,))
    return point.damping_over_omega


@pytest.mark.parametrize(("at", "ratio"), [(0.1, 204.0), (5.0, 2.1), (100.0, 1.8)])
def test_backward_euler_against_bdf2(at: float, ratio: float) -> None:
    assert damping(BackwardEuler(), at) / damping(BDF2(), at) == pytest.approx(ratio, rel=0.03)


@pytest.mark.parametrize(("other", "crossing"), [(TRBDF2(), 35.35), (SDIRK2(), 32.47)], ids=repr)
def test_where_bdf2_damps_less(other: Any, crossing: float) -> None:
    assert damping(BDF2(), crossing - 0.05) > damping(other, crossing - 0.05)
    assert damping(BDF2(), crossing + 0.05) < damping(other, crossing + 0.05)
    assert damping(BDF2(), 10.0) > damping(other, 10.0)
