"""Surfaces with thickness: the barrier begins and ends further out, and presses as hard at the same gap."""

from pathlib import Path
from typing import Any

import ipctk
import numpy as np
import pytest

from builders import run
from supple.contact.surfaces.barrier_contact import BarrierContact
from supple.contact.surfaces.surface import ContactSurface
from supple.contact.surfaces.surface_barrier import barrier
from supple.dynamics.state import State
from supple.dynamics.system import build_system
from supple.energies.gravity import Gravity
from supple.energies.samples import one_sample
from supple.energies.springs.springs import HookeSprings
from supple.errors import SceneError, SuppleError
from supple.integrators.implicit.avf import AVF
from supple.integrators.implicit.backward_euler import BackwardEuler
from supple.linalg.square import sum_at_vertices
from supple.loop import simulate
from supple.mesh.measure import lumped_mass
from supple.mesh.shapes.thin import Cloth
from supple.runs.separate import apart
from supple.scene.tables.scene import Scene
from supple.scene.text.load import load_scene, read_scene
from supple.types import Array

DHAT, KAPPA = 0.01, 1e4
THICK, THIN = 0.02, 0.006
RNG = np.random.default_rng(5)


def sheets(gap: float, thickness: tuple[float, float], shift: float = 0.03) -> tuple[BarrierContact, Array]:
    """Two crumpled sheets with about this distance less half of both thicknesses."""
    mesh = Cloth(cells=(3, 3), size=(0.6, 0.6)).mesh()
    away = np.array([shift, gap + sum(thickness) / 2, 0.6 * shift])
    X, n = np.concatenate([mesh.vertices, mesh.vertices + away]), mesh.n
    triangles = np.concatenate([mesh.triangles, mesh.triangles + n]).astype(np.int32)
    surface = ContactSurface(X, triangles, np.arange(2 * n), np.repeat(thickness, n))
    return BarrierContact(surface, DHAT, KAPPA), X + 2e-4 * np.random.default_rng(1).standard_normal(X.shape)


@pytest.fixture(params=[(THICK, THICK), (THICK, THIN), (THIN, 0.0)], ids=["same", "mixed", "one"])
def near(request: pytest.FixtureRequest) -> tuple[BarrierContact, Array]:
    return sheets(0.4 * DHAT, request.param)


def value_and_gradient(contact: BarrierContact, x: Array) -> tuple[float, Array]:
    gradient = np.zeros_like(x)
    return contact.add_value_gradient(one_sample(x), None, gradient), gradient


def times(contact: BarrierContact, x: Array, d: Array) -> Array:
    """Hessian times a field."""
    out = np.zeros_like(x)
    for corners, H in contact.coupling_blocks(one_sample(x), False):
        blocks = np.einsum("mij,mj->mi", H, d[corners].reshape(-1, 12)).reshape(-1, 4, 3)
        out += sum_at_vertices(corners, blocks, len(x))
    return out


def law(D: Array, xi: Array) -> Array:
    """(3, m) phi and its derivatives."""
    return np.array([barrier(*pair, DHAT, KAPPA) for pair in zip(D, xi, strict=True)]).T


def test_the_law_is_that_of_the_gap() -> None:
    """Value and force of a gap are those without thickness; derivatives by differences; infinite at and below xi."""
    gap, xi = np.linspace(0.02, 1.2, 60) * DHAT, np.full(60, 0.013)
    plain, thick = law(gap**2, np.zeros(60)), law((gap + xi) ** 2, xi)
    np.testing.assert_allclose(thick[0], plain[0], rtol=1e-9)
    np.testing.assert_allclose(thick[1] * (gap + xi), plain[1] * gap, rtol=1e-9)  # half of dphi/dd
    D, e = (gap + xi) ** 2, 1e-10
    for k in (0, 1):
        differences = (law(D + e, xi)[k] - law(D - e, xi)[k]) / (2 * e)
        np.testing.assert_allclose(differences, thick[k + 1], rtol=0, atol=1e-4 * np.abs(thick[k + 1]).max())
    assert (law((np.array([1.0, 0.9]) * 0.013) ** 2, xi[:2])[0] == np.inf).all()
    ends = law(np.array([(0.013 + DHAT) ** 2 * (1.0 - 1e-9)]), xi[:1])
    assert [abs(float(a[0])) / np.abs(b).max() for a, b in zip(ends, thick, strict=True)] <= [1e-12, 1e-9, 1e-6]


def test_derivatives_with_thickness(near: tuple[BarrierContact, Array]) -> None:
    contact, x = near
    d, e = RNG.standard_normal(x.shape), 1e-9
    (ahead, up), (behind, down) = (value_and_gradient(contact, x + s * e * d) for s in (1, -1))
    _, gradient = value_and_gradient(contact, x)
    assert np.abs(gradient).max() > 1.0
    assert (ahead - behind) / (2 * e) == pytest.approx(np.vdot(gradient, d), rel=1e-5)
    bent = times(contact, x, d)
    np.testing.assert_allclose((up - down) / (2 * e), bent, rtol=0, atol=1e-4 * np.abs(bent).max())


@pytest.mark.parametrize("reach", [1e-8, 1e-4, 3e-3])
def test_discrete_gradients_with_thickness(near: tuple[BarrierContact, Array], reach: float) -> None:
    """The change of energy to rounding error, with forces that add up to nothing."""
    contact, x0 = near
    x1 = x0 + reach * RNG.uniform(-0.5, 0.5, x0.shape)
    mean = sum(sum_at_vertices(c, g, len(x0)) for c, g in contact.coupling_means(x0, x1))
    (before, _), (after, _) = value_and_gradient(contact, x0), value_and_gradient(contact, x1)
    assert before > 0.0
    assert np.vdot(mean, x1 - x0) == pytest.approx(after - before, abs=1e-13 * (before + after))
    assert np.abs(np.sum(mean, axis=0)).max() <= 1e-12 * np.abs(mean).max()


def test_jacobian_of_discrete_gradients_with_thickness(near: tuple[BarrierContact, Array]) -> None:
    contact, x0 = near
    x1 = x0 + 2e-4 * RNG.uniform(-1, 1, x0.shape)
    d, e = RNG.standard_normal(x0.shape), 1e-8
    up, down = (
        sum(sum_at_vertices(c, g, len(x0)) for c, g in contact.coupling_means(x0, x1 + s * e * d)) for s in (1, -1)
    )
    found = np.zeros_like(x0)
    for corners, J in contact.coupling_mean_jacobians(x0, x1):
        blocks = np.einsum("mij,mj->mi", J, d[corners].reshape(-1, 12)).reshape(-1, 4, 3)
        found += sum_at_vertices(corners, blocks, len(x0))
    wanted = (np.asarray(up) - np.asarray(down)) / (2 * e)
    assert np.abs(found - wanted).max() <= 2e-2 * np.abs(wanted).max()


@pytest.mark.parametrize("thick", [(THICK, THICK), (THICK, THIN)], ids=["alike", "mixed"])
def test_moves_end_before_the_thickness(thick: tuple[float, float]) -> None:
    """A tenth of the gap is left, whatever the thickness of both."""
    contact, x = sheets(0.004, thick)
    p = np.zeros_like(x)
    p[len(x) // 2 :, 1] = -0.1
    left = contact.smallest_gap(x + contact.max_step(x, p) * p)
    assert left == pytest.approx(0.1 * contact.smallest_gap(x), rel=0.05)


def test_candidates_are_those_of_the_toolkit() -> None:
    """Also between bodies of one patch, and over a large triangle."""
    contact, x = sheets(0.01, (0.0, 0.0))
    ground = np.array([[-5.0, -0.02, -5.0], [5.0, -0.02, -5.0], [0.0, -0.02, 5.0]])
    X, n = np.concatenate([x + 0.02 * RNG.standard_normal(x.shape), ground]), len(x)
    triangles = np.concatenate([contact.surface.triangles, [[n, n + 1, n + 2]]]).astype(np.int32)
    surface = ContactSurface(X, triangles, np.concatenate([np.arange(n // 2), np.full(n // 2, n), np.full(3, n + 1)]))
    found = ipctk.Candidates()
    found.build(surface.mesh, surface.positions(X), surface.positions(X), 0.02)
    points, edges = (sorted(pairs.tolist()) for pairs in surface.candidates((surface.positions(X),), 0.04))
    assert points == sorted([c.vertex_id, c.face_id] for c in found.fv_candidates)
    assert edges == sorted(sorted([c.edge0_id, c.edge1_id]) for c in found.ee_candidates)
    assert min(len(points), len(edges)) > 100


@pytest.mark.parametrize("method", [BackwardEuler(), AVF()], ids=lambda m: m.name)
@pytest.mark.parametrize("below", [False, True], ids=["front", "back"])
def test_a_thick_sheet_comes_to_rest_on_another(method: Any, below: bool) -> None:
    """From both sides of an open surface, with different thicknesses; energy is kept, or lost, as without."""
    mesh = Cloth(cells=(3, 3), size=(0.6, 0.6)).mesh()
    side = -1.0 if below else 1.0
    X, n = np.concatenate([mesh.vertices, mesh.vertices + np.array([0.05, side * 0.05, 0.03])]), mesh.n
    triangles = np.concatenate([mesh.triangles, mesh.triangles + n]).astype(np.int32)
    contact = BarrierContact(ContactSurface(X, triangles, np.arange(2 * n), np.repeat([THICK, THIN], n)), DHAT, KAPPA)
    mass = np.concatenate([np.full(n, 30.0), lumped_mass(mesh, mass=0.3)])
    edges = np.concatenate([mesh.edges, mesh.edges + n]).astype(np.int32)
    pull = Gravity(np.concatenate([np.zeros(n), mass[n:]]), np.array([0.0, -side * 9.81, 0.0]))
    system = build_system(X, mass, [HookeSprings(X, edges, np.full(len(edges), 500.0)), pull, contact])
    frames = run((system, State(0.0, X, np.zeros_like(X))), method, 0.01, 30)
    assert 0.0 < min(contact.smallest_gap(f.state.x) for f in frames) < DHAT
    assert min((side * f.state.x[n:, 1]).min() for f in frames) > 0.5 * (THICK + THIN)
    residual = max(abs(f.ledger.residual) for f in frames)
    assert residual <= 1e-10 * frames[0].ledger.energies.gravity if method.name == "avf" else residual > 1e-3


def test_bad_thickness() -> None:
    with pytest.raises(SuppleError, match="thicknesses must be finite and not negative"):
        sheets(0.01, (-0.1, 0.1))


# -- in scenes -------------------------------------------------------------------------------------------------------


def cloth(y: float, thickness: float | None = 4e-3, name: str = "cloth", **more: Any) -> dict[str, Any]:
    mesh = {"shape": "cloth", "cells": [5, 5], "size": [0.5, 0.5], "origin": [0.0, y, 0.0]}
    body = {"name": name, "mesh": mesh, "material": {"name": "hooke-spring", "stretch": 100.0}, "mass": 0.1, **more}
    return body if thickness is None else {**body, "thickness": thickness}


def scene(*bodies: dict[str, Any], **tables: Any) -> Scene:
    time = {"step": 0.01, "duration": 0.1}
    return read_scene({"time": time, "integrator": {"name": "backward-euler"}, "body": list(bodies), **tables}, Path())


def refused(chosen: Scene) -> list[str]:
    with pytest.raises(SceneError) as caught:
        chosen.make().assemble()
    return caught.value.problems


def test_distance_and_offsets_come_from_the_thickness() -> None:
    floor = {"name": "floor", "mesh": {"shape": "cloth", "cells": [1, 1], "size": [3.0, 3.0], "origin": [-1, -1, -1]}}
    found = (
        scene(cloth(0.0), cloth(1.0, 0.01, "mat"), obstacle=[{**floor, "thickness": 0.1}], contact={}).make().assemble()
    )
    between = found.contact.between
    assert between is not None
    assert between.dhat == 4e-3
    np.testing.assert_allclose(np.unique(between.surface.thickness), [4e-3, 0.01, 0.1])
    assert any("distance 0.004 m chosen" in note for note in found.notes)
    assert scene(cloth(0.0, None), contact={}).make().assemble().contact.between.dhat == 5e-3
    assert scene(cloth(0.0, 1e-5), contact={}).make().assemble().contact.between.dhat == 5e-4


def test_shapes_keep_off_half_the_thickness_of_each_body() -> None:
    ground = {"name": "ground", "shape": "half-space", "thickness": 0.01, "friction": 0.2}
    rope = {
        "name": "rope",
        "mesh": {"shape": "rope", "segments": 4, "origin": [0, 0.1, 1]},
        "material": {"name": "hooke-spring", "stretch": 1e3},
        "mass": 0.1,
        "thickness": 0.02,
    }
    found = scene(cloth(0.1), cloth(0.2, name="other"), rope, obstacle=[ground]).make().assemble()
    (_, thin), (_, thick) = found.contact.shapes
    assert (thin.thickness, len(thin.elements)) == (0.01 + 2e-3, 72)
    assert (thick.thickness, len(thick.elements)) == (0.01 + 0.01, 5)
    assert len(found.contact.friction) == 2
    thrown = scene(cloth(0.1), rope, obstacle=[{"name": "g", "shape": "half-space", "law": "projection"}])
    assert sorted(p.thickness for p in thrown.make().assemble().contact.projections) == [2e-3, 0.01]


def test_starts_within_the_thickness_are_named_and_separated() -> None:
    chosen = scene(cloth(0.0), cloth(3e-3, name="other"), contact={})
    (first, _) = refused(chosen)
    assert first == (
        "body[0]: 'cloth' and 'other' are 0.003 m apart at the start, but their thickness needs more than 0.004 m"
    )
    moved, _ = apart(chosen)
    between = moved.make().assemble().contact.between
    assert between is not None
    assert between.smallest_gap(moved.make().assemble(overlapping=True).state.x) == between.dhat
    folded = cloth(0.0, initial={"position": ["abs(X - 0.25)", "0.004 * X", "Z"]})
    (first, _) = refused(scene(folded, contact={}))
    assert first.startswith("body[0]: parts of 'cloth' that share no vertex are ")


def test_a_sheet_that_is_too_fine_for_its_thickness_is_refused() -> None:
    """Half the diagonal of a cell of 0.1 m is the nearest that places without a common vertex come."""
    (problem,) = refused(scene(cloth(0.0, 0.06), contact={"distance": 0.02}))
    assert problem.startswith(
        "body[0].thickness: parts of 'cloth' that share no vertex are 0.0707 m apart at rest, but thickness 0.06 m "
        "and contact distance 0.02 m need more than 0.08 m"
    )
    scene(cloth(0.0, 0.06), contact={"distance": 0.01}).make().assemble()
    scene(cloth(0.0, 0.06, self_contact=False), contact={"distance": 0.02}).make().assemble()


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("draped-cloth", ["body[0].mesh.cells=[12, 12]", "time.duration=0.4"]),
        (
            "curtain",
            ["time.step=1/60", "body[0].mesh.cells=[12, 4]", "body[0].thickness=0.02", "contact.distance=0.01"],
        ),
    ],
)
def test_shipped_cloth_never_passes_through_itself(name: str, settings: list[str]) -> None:
    """Coarser than shipped, and so thick that every frame with folds has contacts."""
    chosen = load_scene(name, settings)
    body = chosen.make().assemble()
    contact, method = body.contact.between, chosen.integrator.make()
    assert contact is not None
    found = [f.state.x for f in simulate(body.system, method, body.state, chosen.time.step, chosen.time.steps)]
    assert not any(contact.surface.intersects(contact.surface.positions(x)) for x in found)
    assert 0.2 * contact.dhat < min(contact.smallest_gap(x) for x in found) < contact.dhat
    assert all(term.gaps(x).min() > 0.2 * term.law.reach for x in found for _, term in body.contact.shapes)
