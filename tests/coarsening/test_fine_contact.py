"""Contact of obstacles with the fine surface that a coarse body carries: derivatives, exact energy, friction, refusals."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from composite import grid, layered
from scipy.sparse import csr_array

from supple.budget.bodies import find_bodies
from supple.budget.contacts import with_contacts
from supple.coarsening.coarse_body import CoarseBody
from supple.coarsening.coarsen import coarsen
from supple.contact.barrier_law import Barrier
from supple.contact.laws import Cubic
from supple.contact.obstacles.fine_contact import FineContact
from supple.contact.obstacles.fine_surface import FineSurface
from supple.contact.obstacles.half_space import HalfSpace
from supple.contact.obstacles.shape_contact import shape_contact
from supple.contact.obstacles.shapes import Shape, SphereShape
from supple.dynamics.step import StepReport
from supple.dynamics.system import build_system
from supple.energies.samples import one_sample
from supple.errors import SceneError
from supple.integrators.implicit.avf import AVF
from supple.loop import simulate
from supple.scene.tables.scene import Scene
from supple.scene.text.load import read_scene
from supple.types import Array

SHAPES: dict[str, Shape] = {
    "half-space": HalfSpace((0.0, 0.0, 0.3), (0.1, 0.2, 1.0)),
    "sphere": SphereShape((0.6, 0.5, -0.3), 0.55),
}
LAWS = {"cubic": Cubic(9e3), "barrier": Barrier(2e3, 0.4)}


@pytest.fixture(scope="module")
def made() -> CoarseBody:
    """A layered cube of 48 coarse tets over 386 surface vertices, in a cage that is wider than the cube."""
    return coarsen(layered(8, 10.0, 8), grid((2, 2, 2), (1.2, 1.2, 1.2), origin=-0.1))


def contact(made: CoarseBody, shape: str, law: str, drop: float = 0.0) -> tuple[FineContact, Array]:
    """The term, and coarse positions that are bent and turned a little."""
    f = len(made.skin)
    surface = FineSurface(made.vertices, made.tets, made.skin, made.host, made.coordinates)
    of = shape_contact(SHAPES[shape], LAWS[law], np.arange(f), np.linspace(0.5, 1.5, f))
    X = made.vertices
    x = X + 0.03 * np.random.default_rng(3).standard_normal(X.shape) + [0.0, 0.0, 0.45 - drop]
    return FineContact(of, surface), x


def gradient(term: FineContact, x: Array) -> Array:
    out = np.zeros_like(x)
    np.add.at(out, term.elements, term.element_gradients(x))
    return out


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("shape", SHAPES)
def test_gradients_and_hessians_are_derivatives(made: CoarseBody, shape: str, law: str) -> None:
    term, x = contact(made, shape, law, drop=0.0 if law == "barrier" else 0.3)
    d, eps = np.random.default_rng(4).standard_normal(x.shape), 1e-6
    g = gradient(term, x)
    assert np.abs(g).max() > 1.0
    slope = (term.element_values(x + eps * d).sum() - term.element_values(x - eps * d).sum()) / (2 * eps)
    assert float((g * d).sum()) == pytest.approx(slope, rel=2e-7)
    bent = np.zeros_like(x)
    for corners, H in zip(term.elements, term.element_hessians(x), strict=True):
        np.add.at(bent, corners, (H @ d[corners].ravel()).reshape(-1, 3))
    numeric = (gradient(term, x + eps * d) - gradient(term, x - eps * d)) / (2 * eps)
    np.testing.assert_allclose(bent, numeric, rtol=0, atol=1e-6 * np.abs(bent).max())


@pytest.mark.parametrize("shape", SHAPES)
def test_sums_over_near_points_are_those_over_all(made: CoarseBody, shape: str) -> None:
    """The fast sums of a system against those of elements."""
    term, x = contact(made, shape, "barrier")
    system = build_system(made.vertices, made.mass, [term])
    g = gradient(term, x)
    np.testing.assert_allclose(system.potential.gradient(x), g, rtol=0, atol=1e-12 * np.abs(g).max())
    values = np.zeros(system.pattern.nnz)
    system.potential.add_hessian(one_sample(x), values)
    size = 3 * len(x)
    upper = csr_array((values, system.pattern.indices, system.pattern.indptr), shape=(size, size)).toarray()
    whole = np.zeros((size, size))
    for corners, H in zip(term.elements, term.element_hessians(x), strict=True):
        at = (3 * corners[:, None] + np.arange(3)).ravel()
        whole[np.ix_(at, at)] += H
    np.testing.assert_allclose(upper, np.triu(whole), rtol=0, atol=1e-12 * np.abs(whole).max())


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("shape", SHAPES)
def test_mean_gradients_are_exact_over_a_step(made: CoarseBody, shape: str, law: str) -> None:
    term, x0 = contact(made, shape, law, drop=0.0 if law == "barrier" else 0.3)
    x1 = x0 + 0.02 * np.random.default_rng(5).standard_normal(x0.shape) + [0.01, 0.0, 0.03]
    mean = np.zeros_like(x0)
    np.add.at(mean, term.elements, term.element_mean_gradients(x0, x1))
    change = term.element_values(x1).sum() - term.element_values(x0).sum()
    assert abs(change) > 1e-2
    assert float((mean * (x1 - x0)).sum()) == pytest.approx(change, rel=1e-11)


def test_moves_end_before_the_surface(made: CoarseBody) -> None:
    term, x = contact(made, "half-space", "barrier")
    p = np.tile([0.0, 0.0, -1.0], (len(x), 1))
    t = term.max_step(x, p)
    assert 0.0 < t < 1.0
    gap = term.gaps(x).min()
    assert term.gaps(x + t * p).min() == pytest.approx(0.1 * gap, rel=1e-2)
    assert term.passes(x, x + p)
    assert not term.passes(x, x + t * p)
    cut = term.clipped(x, p)
    assert term.gaps(x + cut).min() > 0.0
    # coarse vertices below the fine surface may be behind the plane
    assert SHAPES["half-space"].distance(x + t * p).min() < 0.0


def test_forces_on_points_and_on_corners_agree(made: CoarseBody) -> None:
    term, x = contact(made, "sphere", "barrier")
    [touch] = term.touches(x)
    assert touch.corners.shape[1] == 4
    assert touch.coefficients.sum(axis=1) == pytest.approx(1.0)
    push = -(touch.force[:, None] * touch.normal).sum(axis=0)
    np.testing.assert_allclose(gradient(term, x).sum(axis=0), push, rtol=1e-9)
    x1 = x + np.array([0.0, 0.0, 0.01])
    [press] = term.presses(x, x1)
    assert press.slope is not None
    assert press.slope.shape == (len(press.corners), 4, 3)


def scene(
    folder: Path,
    contact: str = "fine",
    law: str = "barrier",
    friction: float = 0.0,
    push: Sequence[float] = (0.0, 0.0, 0.0),
    lift: float = 0.2,
    tables: dict[str, Any] | None = None,
) -> Scene:
    """A turned cube above the ground."""
    body = {
        "name": "cube",
        "mesh": {"coarse": "cube.npz", "contact": contact},
        "material": {"name": "coarse"},
        "initial": {"translate": [0.0, 0.0, lift], "rotate": {"axis": [1, 0, 0], "angle": 20}, "velocity": list(push)},
    }
    ground = {"name": "ground", "shape": "half-space", "normal": [0, 0, 1], "law": law, "friction": friction}
    world = {"up": "z", "gravity": 9.81}
    tables = {"world": world, "time": {"step": 0.01}, "body": [body], "obstacle": [ground], **(tables or {})}
    return read_scene(tables, folder)


@pytest.fixture
def folder(made: CoarseBody, tmp_path: Path) -> Path:
    made.save(tmp_path / "cube.npz")
    return tmp_path


def test_a_fall_on_the_fine_surface_keeps_its_energy(folder: Path) -> None:
    model = scene(folder).make().assemble()
    [(_, term)] = model.contact.shapes
    assert isinstance(term, FineContact)
    frames = list(simulate(model.system, AVF(), model.state, 0.01, 60))
    gaps = np.array([term.gaps(frame.state.x).min() for frame in frames])
    assert gaps.min() > 0.0
    touching = gaps < term.law.reach
    assert 5 < touching.sum() < 55
    assert frames[-1].state.x[:, 2].mean() > min(frame.state.x[:, 2].mean() for frame in frames) + 0.02
    total = max(abs(frame.ledger.energies.total) for frame in frames)
    assert max(abs(frame.ledger.residual) for frame in frames) <= 1e-10 * total
    # the cage is a tenth wider than the body on every side and dips into the ground
    assert min(frame.state.x[:, 2].min() for frame in frames) < -0.02


def test_the_surface_of_the_coarse_tets_is_another_choice(folder: Path) -> None:
    coarse = scene(folder, "coarse").make().assemble(overlapping=True)
    assert not any(isinstance(term, FineContact) for _, term in coarse.contact.shapes)
    with pytest.raises(SceneError, match=r'body\[0\]\.mesh\.contact: unknown value "smooth"; known: coarse, fine'):
        scene(folder, "smooth")


def test_friction_stops_a_sliding_body(folder: Path) -> None:
    speeds = []
    for friction in (0.0, 0.8):
        made = scene(folder, friction=friction, push=[2.0, 0.0, 0.0]).make().assemble()
        frames = list(simulate(made.system, AVF(), made.state, 0.01, 18))
        mass = made.system.mass
        speeds.append(float(mass @ frames[-1].state.v[:, 0] / mass.sum()))
        total = max(abs(frame.ledger.energies.total) for frame in frames)
        assert max(abs(frame.ledger.residual) for frame in frames) <= 1e-9 * total
    assert speeds[0] == pytest.approx(2.0, rel=1e-9)
    assert speeds[1] < 1.5


def test_a_body_that_starts_in_the_ground_is_refused(folder: Path) -> None:
    with pytest.raises(
        SceneError, match=r"'cube': \d+ vertices of its fine surface are in 'ground', the first is \d+ at \["
    ):
        scene(folder, lift=-0.2).make().assemble()


@pytest.mark.parametrize("law", ["projection", "repulsion"])
def test_laws_for_single_vertices_are_refused(folder: Path, law: str) -> None:
    with pytest.raises(
        SceneError,
        match=rf'obstacle\[0\]\.law: "{law}" acts on single vertices, but \'cube\' is in contact with shapes',
    ):
        scene(folder, law=law).make().assemble()


def test_surfaces_still_meet_with_coarse_tets(folder: Path) -> None:
    model = scene(folder, tables={"contact": {}}).make().assemble()
    assert any("'cube' meets other surfaces with its tets" in note for note in model.notes)


def test_a_budget_sees_the_ground_and_no_self_contact(folder: Path) -> None:
    """All four corners of a contact point belong to one body, which is nevertheless in contact with the ground."""
    model = scene(folder).make().assemble()
    [(_, term)] = model.contact.shapes
    x = model.state.x - np.array([0.0, 0.0, float(term.gaps(model.state.x).min()) - 0.2 * term.law.reach])
    report = with_contacts(model.system, find_bodies(model.system), x, StepReport(h=0.01))
    assert report.contacts is not None
    assert set(report.contacts.tolist()) <= set(np.unique(term.elements).tolist())
    assert report.self_contacts is None
