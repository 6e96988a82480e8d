"""Surfaces bound to tets."""

import numpy as np
import pytest

from supple.mesh.cages.cage import Cage, caged
from supple.mesh.embedding.binding import Binding, bind
from supple.mesh.embedding.bound_parts import bind_surface
from supple.mesh.embedding.cover import Carried
from supple.mesh.mesh import Mesh, join
from supple.mesh.shapes.solid import Bar

BAR = Bar(cells=(3, 2, 2), size=(1.0, 0.6, 0.5)).mesh()
RANDOM = np.random.default_rng(5)
MIDDLE = BAR.vertices.mean(axis=0)
POINTS = MIDDLE + RANDOM.normal(size=(500, 3)) * [0.5, 0.3, 0.3]
BOUND = bind(POINTS, BAR.vertices, BAR.tets)


def test_points_lie_on_both_sides() -> None:
    assert 100 < int((BOUND.outside > 0).sum()) < 450


def test_an_affine_motion_moves_all_points_by_the_same_map() -> None:
    A, b = RANDOM.normal(size=(3, 3)), RANDOM.normal(size=3)
    moved = BOUND.matrix @ (BAR.vertices @ A.T + b)
    assert np.abs(moved - (POINTS @ A.T + b)).max() < 1e-12


def test_a_surface_in_a_cage_follows_affine_motion_too() -> None:
    sheet = Mesh(RANDOM.random((300, 3)), triangles=np.arange(300, dtype=np.int32).reshape(-1, 3))
    made = caged(sheet, Cage(cells=6))
    A, b = RANDOM.normal(size=(3, 3)), RANDOM.normal(size=3)
    moved = made.binding.matrix @ (made.mesh.vertices @ A.T + b)
    assert np.abs(moved - (sheet.vertices @ A.T + b)).max() < 1e-12


def along(binding: Binding, x: np.ndarray) -> np.ndarray:
    return np.linalg.norm(np.diff(binding.matrix @ x, axis=0), axis=1)


def test_no_jumps_outside() -> None:
    """A line that runs around the bar stays in one piece, however the tets are bent."""
    x = BAR.vertices + 0.15 * np.sin(5 * BAR.vertices[:, [1, 2, 0]])
    angle = np.linspace(0, 2 * np.pi, 4001)
    line = MIDDLE + np.stack([0.9 * np.cos(angle), 0.7 * np.sin(angle), np.full_like(angle, 0.1)], axis=1)
    fine = along(bind(line, BAR.vertices, BAR.tets), x)
    coarse = along(bind(line[::2], BAR.vertices, BAR.tets), x)
    assert fine.max() < 0.6 * coarse.max()  # a jump would stay as long as it is
    through = MIDDLE + np.linspace(-1.2, 1.2, 4001)[:, None] * [0.5, 0.5, 0.3]
    assert along(bind(through, BAR.vertices, BAR.tets), x).max() < 4e-3


def test_holding_the_carriers_holds_the_points() -> None:
    some = np.flatnonzero(POINTS[:, 0] < 0.2)
    x = BAR.vertices + RANDOM.normal(size=BAR.vertices.shape)
    held = BOUND.carriers(some)
    x[held] = BAR.vertices[held]
    assert np.abs((BOUND.matrix @ x)[some] - POINTS[some]).max() < 1e-4


def test_parts_go_with_their_own_tets() -> None:
    twins = join({"one": BAR, "two": BAR})  # in the same place
    tags = np.repeat([0, 1], len(BAR.tets)).astype(np.int32)
    mesh = Mesh(twins.vertices, tets=twins.tets, tags={"part": tags})
    part = (np.arange(len(POINTS)) % 2).astype(np.int32)
    binding = bind_surface(POINTS, mesh, part)
    assert np.array_equal(tags[binding.host], part)
    x = twins.vertices + np.repeat([[0.0, 0, 0], [0, 7, 0]], BAR.n, axis=0)
    assert (binding.matrix @ x)[:, 1] == pytest.approx(POINTS[:, 1] + 7.0 * part)


def test_covers_show_what_the_vertices_have() -> None:
    cover = Carried(BOUND.matrix, np.empty((0, 3), np.int32))
    assert (cover.n, cover.bound) == (len(POINTS), BAR.n)
    energy = RANDOM.random(BAR.n)
    shown = cover.mean(energy)
    assert energy.min() <= shown.min() <= shown.max() <= energy.max()
    rows = np.arange(cover.n)
    assert (BOUND.matrix[rows, cover.grips] == BOUND.matrix.max(axis=1).toarray().ravel()).all()
    x, v = cover.motion(BAR.vertices, BAR.vertices[:, ::-1])
    assert np.abs(x - POINTS).max() < 1e-12
    assert np.abs(v - POINTS[:, ::-1]).max() < 1e-12


def test_a_hundred_thousand_vertices() -> None:
    points = MIDDLE + RANDOM.normal(size=(100_000, 3)) * [0.2, 0.12, 0.1]
    fine = Bar(cells=(20, 12, 10), size=(1.0, 0.6, 0.5)).mesh()
    binding = bind(points, fine.vertices, fine.tets)
    assert np.abs(binding.matrix @ fine.vertices - points).max() < 1e-12
