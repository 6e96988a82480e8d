"""Transfers: conserved quantities, losses by formulas, and no gain of energy."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from supple.points import TRANSFERS
from supple.points.grid import Grid, lay_grid
from supple.points.spline import Degree, Gradient, Spline
from supple.points.transfer import APIC, FLIP, PIC, AffineFLIP, Transfer
from supple.types import Array

ALL = [TRANSFERS.load()[name]() for name in sorted(TRANSFERS.load())]
LOSING: list[Transfer] = [PIC(), APIC(), FLIP(), AffineFLIP()]
X = np.random.default_rng(1).uniform(0.0, 1.0, (150, 3))
MASS = np.random.default_rng(2).uniform(0.5, 2.0, 150)


def step(
    transfer: Transfer, degree: Degree, gradient: Gradient, seed: int, h: float = 0.01
) -> tuple[Grid, dict[str, Array]]:
    """A step of random forces from within, with u = h v'."""
    rng = np.random.default_rng(seed)
    grid = lay_grid(Spline(degree, 0.2), X, gradient)
    v, C = rng.standard_normal((150, 3)), rng.standard_normal((150, 3, 3))
    m, v0 = transfer.to_grid(grid, MASS, v, C)
    S = rng.standard_normal((150, 3, 3))
    force = grid.scattered(np.einsum("pij,pkj->pki", S + np.swapaxes(S, 1, 2), grid.grad))
    v1 = v0 + h * force / m[:, None]
    u = h * v1
    after = transfer.to_points(grid, v0, v1, u, v, C)
    return grid, {"v": v, "C": C, "m": m, "v0": v0, "v1": v1, "u": u, "w": after[0], "B": after[1]}


def momenta(transfer: Transfer, x: Array, v: Array, C: Array, D: float) -> tuple[Array, Array]:
    p = MASS[:, None] * v
    return p.sum(axis=0), np.cross(x, p).sum(axis=0) + transfer.spin(MASS, C, D)


@pytest.mark.parametrize("transfer", ALL, ids=lambda t: t.name)
@pytest.mark.parametrize("degree", [2, 3])
@pytest.mark.parametrize("gradient", ["mls", "spline"])
def test_momenta(transfer: Transfer, degree: Degree, gradient: Gradient) -> None:
    grid, s = step(transfer, degree, gradient, 5)
    assert abs(s["m"].sum() - MASS.sum()) < 1e-12
    P0, L0 = momenta(transfer, X, s["v"], s["C"], grid.spline.D)
    P1, L1 = momenta(transfer, X + grid.mean(s["u"]), s["w"], s["B"], grid.spline.D)
    size = float(MASS @ np.linalg.norm(s["v"], axis=1))
    assert np.abs(P1 - P0).max() < 1e-14 * size
    lost = np.abs(L1 - L0).max()
    assert (lost < 1e-14 * size) == transfer.keeps_angular_momentum


def variance(grid: Grid, transfer: Transfer, s: dict[str, Array]) -> float:
    """Loss of both transfers of a step, as a sum of squares."""
    affine = float(transfer.affine)

    def spread(of: Array, mean: Array, C: Array) -> float:
        rest = of - mean[:, None, :] - affine * np.einsum("pij,pkj->pki", C, grid.r)
        return 0.5 * float(np.einsum("p,pk,pki,pki->", MASS, grid.w, rest, rest))

    old, new = s["v0"][grid.ids], s["v1"][grid.ids]
    if transfer.kept:
        return spread(new - old, s["w"] - s["v"], s["B"] - s["C"])
    return spread(old, s["v"], s["C"]) + spread(new, s["w"], s["B"])


@settings(max_examples=40, deadline=None)  # the first example reads sources
@given(
    transfer=st.sampled_from(LOSING),
    degree=st.sampled_from([2, 3]),
    gradient=st.sampled_from(["mls", "spline"]),
    seed=st.integers(0, 10**6),
    h=st.floats(0.0, 0.1),
)
def test_loss_is_a_variance_and_never_negative(
    transfer: Transfer, degree: Degree, gradient: Gradient, seed: int, h: float
) -> None:
    grid, s = step(transfer, degree, gradient, seed, h)
    kinetic = [transfer.kinetic(MASS, s[v], s[C], grid.spline.D) for v, C in (("v", "C"), ("w", "B"))]
    nodes = [0.5 * float(s["m"] @ np.einsum("ni,ni->n", s[v], s[v])) for v in ("v0", "v1")]
    lost = kinetic[0] - nodes[0] + nodes[1] - kinetic[1]
    in_play = max(*kinetic, *nodes)
    assert abs(lost - variance(grid, transfer, s)) < 1e-13 * in_play
    assert lost >= -1e-13 * in_play
    assert (lost > 1e-6 * in_play) or (transfer.kept and h < 1e-3)


def test_apic_is_exact_on_rigid_motion() -> None:
    """A body that spins and flies, at another place of the grid in each step: only transfers act on its motion."""
    transfer, omega, rng = APIC(), np.array([0.3, -0.5, 0.7]), np.random.default_rng(8)
    turn = np.array([[0.0, -omega[2], omega[1]], [omega[2], 0.0, -omega[0]], [-omega[1], omega[0], 0.0]])
    v, C = X @ turn.T + 1.0, np.tile(turn, (150, 1, 1))
    D = Spline(2, 0.2).D
    first = transfer.kinetic(MASS, v, C, D)
    for _ in range(200):
        grid = lay_grid(Spline(2, 0.2), X + rng.uniform(0.0, 0.2, 3))
        _, nodes = transfer.to_grid(grid, MASS, v, C)
        v, C = transfer.to_points(grid, nodes, nodes, np.zeros_like(nodes), v, C)
    assert abs(transfer.kinetic(MASS, v, C, D) / first - 1.0) < 1e-14
    assert np.abs(C - turn).max() < 1e-12


def test_blends_lie_between() -> None:
    grid, s = step(FLIP(0.4), 2, "mls", 0)
    both = [FLIP(a).to_points(grid, s["v0"], s["v1"], s["u"], s["v"], s["C"])[0] for a in (0.0, 1.0)]
    assert np.abs(s["w"] - 0.6 * both[0] - 0.4 * both[1]).max() < 1e-14
    pic = PIC().to_points(grid, s["v0"], s["v1"], s["u"], s["v"], s["C"])[0]
    assert np.abs(both[0] - pic).max() == 0.0
