"""Kinds of constraints: derivatives, and messages when a run cannot begin with them."""

from typing import Any

import numpy as np
import pytest

from builders import hold
from supple.constraints.holonomic import Holonomic
from supple.constraints.links import FixedLengths
from supple.constraints.motion import Motion
from supple.constraints.own import OwnConstraint
from supple.constraints.surfaces import OnPlane, OnSphere, OnSurface
from supple.dynamics.consistent import consistent
from supple.dynamics.reactions import Reactions
from supple.dynamics.state import State
from supple.dynamics.system import System, build_system
from supple.errors import MeshError, SuppleError
from supple.formulas.implicit import Implicit

X = np.array([[0.0, 0.0, 0.0], [1.0, 0.1, 0.2], [0.4, 1.1, -0.3], [1.3, 0.9, 0.5]])


def triple(corners: np.ndarray) -> np.ndarray:
    """Six times the volume of tets, less 1."""
    a, b, c = (corners[:, i] - corners[:, 0] for i in (1, 2, 3))
    return np.einsum("mi,mi->m", a, np.cross(b, c)) - 1.0


def triple_gradient(corners: np.ndarray) -> np.ndarray:
    a, b, c = (corners[:, i] - corners[:, 0] for i in (1, 2, 3))
    inner = np.stack([np.cross(b, c), np.cross(c, a), np.cross(a, b)], axis=1)
    return np.concatenate([-inner.sum(axis=1, keepdims=True), inner], axis=1)


KINDS: dict[str, Holonomic] = {
    "rods": FixedLengths(X, [[0, 1], [2, 3]]),
    "plane": OnPlane([1, 2], (0.0, 0.3, 0.0), (1.0, 2.0, -1.0)),
    "sphere": OnSphere([1, 3], (0.1, 0.2, 0.3), 0.8),
    "surface": OnSurface(
        [1, 2], Implicit("sin(2 * x) * y ^ 3 - exp(z) / (2 + x) + sqrt(y + 3) ^ x - tanh(z) * log(x + 2)")
    ),
    "own": OwnConstraint([[0, 1, 2, 3]], triple, triple_gradient),
}


def differences(f: Any, x: np.ndarray, step: float = 1e-6) -> np.ndarray:
    """(..., n, 3) central differences."""
    moves = np.eye(x.size).reshape(x.size, *x.shape) * step
    rows = [(f(x + d) - f(x - d)) / (2 * step) for d in moves]
    return np.stack(rows, axis=-1).reshape(*np.shape(rows[0]), *x.shape)


@pytest.mark.parametrize("name", KINDS)
def test_gradients_and_hessians_are_derivatives(name: str) -> None:
    kind = KINDS[name]
    slope = differences(kind.values, X)
    gradients, hessians = kind.gradients(X), kind.hessians(X)
    assert np.abs(gradients).max() > 0.1
    bend = differences(kind.gradients, X)
    for j, corners in enumerate(kind.vertices):
        np.testing.assert_allclose(gradients[j], slope[j][corners], atol=1e-8)
        wanted = bend[j][..., corners, :].reshape(3 * len(corners), -1)
        np.testing.assert_allclose(hessians[j], wanted, atol=1e-7)
    assert name == "plane" or np.abs(hessians).max() > 0.1


@pytest.mark.parametrize("name", KINDS)
def test_the_mean_gradient_is_a_discrete_gradient(name: str) -> None:
    """gbar . (x1 - x0) = g(x1) - g(x0): what makes constraint forces do no work."""
    kind, x1 = KINDS[name], X + 0.1 * np.random.default_rng(1).standard_normal(X.shape)
    system = build_system(X, np.ones(4), [], constraints=[kind])
    (mean,) = Reactions(1.0, X, "mean").gradients(system.constraints, x1)
    along = (mean * (x1 - X)[kind.vertices]).sum(axis=(1, 2))
    np.testing.assert_allclose(along, kind.values(x1) - kind.values(X), atol=1e-8 if name == "surface" else 1e-14)
    assert np.abs(along).max() > 1e-3


def begun(*kinds: Holonomic, v: np.ndarray | None = None, held: tuple[int, ...] = ()) -> tuple[State, str]:
    motion = Motion((hold(held, X),)) if held else None
    system: System = build_system(X, np.ones(4), [], motion, constraints=kinds)
    return consistent(system, State(0.0, X, np.zeros_like(X) if v is None else v))


ALL_PAIRS = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]


def test_redundant_constraints_are_named() -> None:
    begun(FixedLengths(X, ALL_PAIRS))
    with pytest.raises(SuppleError, match=r"1 of 7 constraints are redundant .*twice\[0\] \(vertices 1, 0\)"):
        begun(FixedLengths(X, ALL_PAIRS), FixedLengths(X, [[1, 0]], name="twice"))
    with pytest.raises(
        SuppleError, match=r"1 of 1 constraints are redundant or act on no free vertex; remove them: rods\[0\]"
    ):
        begun(FixedLengths(X, [[0, 1]]), held=(0, 1))


def test_contradictions_and_wrong_starts_say_by_how_much() -> None:
    length = float(np.linalg.norm(X[1] - X[0]))
    with pytest.raises(SuppleError, match=r"1 of 2 constraints contradict the other .*other\[0\].* by 0.1"):
        begun(FixedLengths(X, [[0, 1]]), FixedLengths(X, [[0, 1]], length + 0.1, name="other"))
    with pytest.raises(SuppleError, match=r"1 of 1 constraints are violated at the start: rods\[0\] .* by 0.01 m"):
        begun(FixedLengths(X, [[0, 1]], length - 0.01))


def test_a_wrong_gradient_is_found_before_the_run() -> None:
    right = OwnConstraint([[0, 1, 2, 3]], lambda c: triple(c) - triple(X[None]), triple_gradient)
    begun(right)
    wrong = OwnConstraint([[0, 1, 2, 3]], lambda c: triple(c) - triple(X[None]), lambda c: 1.01 * triple_gradient(c))
    with pytest.raises(SuppleError, match=r"own: its gradient is not the derivative .*off by"):
        begun(wrong)
    with pytest.raises(SuppleError, match=r"gradients have the shape \(1, 12\)"):
        begun(OwnConstraint([[0, 1, 2, 3]], lambda c: triple(c) - triple(X[None]), lambda c: np.zeros((1, 12))))


def test_velocities_are_put_along_the_constraints() -> None:
    v = np.random.default_rng(2).standard_normal(X.shape)
    rods = FixedLengths(X, ALL_PAIRS)
    state, note = begun(rods, v=v)
    assert "initial velocities changed by up to" in note
    assert np.abs((rods.gradients(X) * state.v[rods.vertices]).sum(axis=(1, 2))).max() < 1e-14
    # impulses along rods push and turn nothing
    np.testing.assert_allclose(state.v.sum(axis=0), v.sum(axis=0), atol=1e-14)
    np.testing.assert_allclose(np.cross(X, state.v).sum(axis=0), np.cross(X, v).sum(axis=0), atol=1e-14)
    assert begun(rods, v=state.v)[1] == ""


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: FixedLengths(X, [[0, 1], [2, 2]]), r"1 of 2 name a vertex twice, the first is rods\[1\]"),
        (lambda: FixedLengths(X, [[0, 1]], 0.0), "1 of 1 rods have no positive length"),
        (lambda: FixedLengths(X, np.zeros((0, 2), int)), "no vertices given"),
        (lambda: OnPlane([0], X[0], (0.0, 0.0, 0.0)), r"plane.normal: found \[0.0, 0.0, 0.0\]"),
        (lambda: OnSphere([0], X[0], -1.0), "sphere.radius: found -1.0"),
    ],
)
def test_bad_input_is_refused(make: Any, words: str) -> None:
    with pytest.raises((MeshError, SuppleError), match=words):
        make()
