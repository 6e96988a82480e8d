"""Pulling at clouds: the points around the one under the mouse, with a ledger that closes, in explicit and implicit steps."""

import tomllib
from pathlib import Path

import numpy as np
import pytest

from supple.scene.text.load import read_scene
from supple.viewer.grip import CELLS, HANDLE_HERTZ
from supple.viewer.session import Session

SCENE = """
[time]
step = 0.004
[integrator]
name = "mpm"
cell = 0.1
[[body]]
mesh = { shape = "bar", cells = [2, 2, 2], size = [0.3, 0.3, 0.3] }
points = { per_cell = 8 }
material = { name = "stvk", young = 1e5, poisson = 0.3 }
[[body]]
mesh = { shape = "bar", cells = [2, 2, 2], size = [0.3, 0.3, 0.3], origin = [0.6, 0.0, 0.0] }
points = { per_cell = 8 }
material = { name = "stvk", young = 1e5, poisson = 0.3 }
[[obstacle]]
shape = "half-space"
law = "separate"
"""
AVF = ('integrator.of={name="avf"}', "time.step=0.01")


def session(*overrides: str) -> Session:
    return Session(read_scene(tomllib.loads(SCENE), Path(), overrides=list(overrides)))


def corner(found: Session) -> int:
    """Of the first body."""
    return int(np.argmax(found.state.x[: found.model.placed[0].mesh.n] @ [-1.0, 1.0, 1.0]))


@pytest.mark.parametrize(
    ("overrides", "steps"),
    [((), 20), (AVF, 8), ((*AVF, "integrator.budget=true"), 8)],
    ids=["explicit", "avf", "budget"],
)
def test_a_pull_lifts_the_body_and_is_work(overrides: tuple[str, ...], steps: int) -> None:
    found = session(*overrides)
    vertex, start = corner(found), found.state.x.copy()
    for k in range(steps):
        found.hold(vertex, start[vertex] + [0.0, 0.2 * k / steps, 0.0])
        found.step()
        parts = found.ledger.grid
        told = parts.transfer + parts.force + parts.collided + parts.restored
        assert abs(found.ledger.residual - told) < 1e-12 * found.ledger.energies.scale
    moved = found.state.x - start
    first, second = (moved[placed.span] for placed in found.model.placed)
    assert moved[vertex, 1] > 0.05
    assert first[:, 1].mean() > 0.01 > 0.001 > second[:, 1].mean()
    assert found.ledger.external_work > 0.1
    found.release()
    assert found.ledger.energies.other == 0.0


def test_points_around_the_mouse_share_the_spring_and_keep_their_places() -> None:
    found = session()
    vertex, x = corner(found), found.state.x
    target = x[vertex] + [0.0, 0.2, 0.0]
    found.hold(vertex, target)
    stiffness = found._anchors.stiffness
    held = np.flatnonzero(stiffness)
    away = np.linalg.norm(x[held] - x[vertex], axis=1)
    assert len(held) > 8
    assert away.max() < CELLS * 0.1
    assert (held < found.model.placed[0].mesh.n).all()
    assert stiffness.argmax() == vertex
    assert stiffness.sum() <= (2.0 * np.pi * HANDLE_HERTZ) ** 2 * found.model.system.mass.sum() * (1.0 + 1e-12)
    np.testing.assert_allclose(found._anchors.points[held] - target, x[held] - x[vertex], atol=1e-15)
    found.step()
    found.hold(vertex, target)
    assert (np.flatnonzero(stiffness) == held).all()
    found.reset()
    assert not stiffness.any()
