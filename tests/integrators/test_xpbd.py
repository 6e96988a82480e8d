"""XPBD and PBD: the same energies as constraints, backward Euler in the limit, contact, refusals and equal bits."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from builders import (
    Setup,
    at_rest,
    four_nodes,
    held_beam,
    hold,
    random_tets,
    run,
    spring_sheet,
    stretched_bar,
    twisted_bar,
)
from supple.constraints.motion import Motion
from supple.contact.barrier_law import Barrier
from supple.contact.friction import Friction
from supple.contact.obstacles.half_space import HalfSpace
from supple.contact.obstacles.obstacle import ObstacleContact
from supple.contact.obstacles.projection import Projection
from supple.damping.dashpot import Dashpots
from supple.damping.drag import Drag
from supple.dynamics.state import State
from supple.dynamics.system import build_system
from supple.energies.areas.element_area import ElementAreas
from supple.energies.areas.element_volume import ElementVolumes
from supple.energies.areas.whole_measure import Gas, enclosed_volume
from supple.energies.bending.dihedral import DihedralBending
from supple.energies.bending.quadratic import QuadraticBending
from supple.energies.bending.rod import RodBending
from supple.energies.gravity import Gravity
from supple.energies.membranes.membrane import Membrane
from supple.energies.solids.solid import Solid
from supple.energies.springs.anchor import Anchors
from supple.energies.springs.attachment import Attachments
from supple.energies.springs.springs import HookeSprings, StVKSprings
from supple.energies.term import EnergyTerm
from supple.integrators.implicit.backward_euler import BackwardEuler
from supple.integrators.position_based.plan import SPLIT, Substep, plan_for
from supple.integrators.position_based.xpbd import PBD, XPBD
from supple.linalg.threads import threads, use_threads
from supple.materials.corotated import Corotated
from supple.materials.membranes.laws import StVKMembrane
from supple.materials.membranes.woven import OrthotropicMembrane
from supple.materials.neo_hookean import NeoHookean
from supple.materials.stable_neo_hookean import StableNeoHookean, StableNeoHookeanLog
from supple.materials.stvk import StVK
from supple.mesh.shapes.thin import Cloth
from supple.mesh.topology import boundary_triangles, unique_edges
from supple.types import Array

MESH = random_tets()
REST = MESH.vertices
SURFACE = boundary_triangles(MESH.tets)
EDGES = unique_edges(MESH.tets)
FLAT = Cloth(cells=(3, 3), size=(3.0, 3.0)).mesh()
N = len(REST)
MU, LAM = np.linspace(20.0, 40.0, len(MESH.tets)), np.linspace(30.0, 10.0, len(MESH.tets))
PLACES = np.array([[0, 5, 9, 20], [3, 7, 11, 30]], dtype=np.int32)
MIXTURE = np.array([[1.0, -0.2, -0.3, -0.5], [1.0, -1.0, 0.0, 0.0]])
ROW = np.stack([np.arange(15), np.arange(1, 16)], axis=1).astype(np.int32)
LINE = np.linspace(0.0, 4.0, N)[:, None] * [1.0, 0.0, 0.0]
TERMS: dict[str, Callable[[], EnergyTerm]] = {
    "hooke springs": lambda: HookeSprings(REST, EDGES, np.linspace(5.0, 50.0, len(EDGES))),
    "stvk springs": lambda: StVKSprings(REST, EDGES, 20.0),
    "anchors": lambda: Anchors(REST, np.linspace(0.0, 3.0, N)),
    "attachments": lambda: Attachments(PLACES, MIXTURE, np.array([0.3, 0.0]), 7.0),
    "areas": lambda: ElementAreas(REST, SURFACE, 11.0),
    "volumes": lambda: ElementVolumes(REST, MESH.tets, 13.0),
    "dihedral": lambda: DihedralBending(REST, SURFACE, 2.0),
    "quadratic bending": lambda: QuadraticBending(FLAT.vertices, FLAT.triangles, 2.0),
    "rod": lambda: RodBending(LINE, ROW, 2.0),
    "membrane": lambda: Membrane(REST, SURFACE, StVKMembrane(30.0, 0.3), 0.2),
    "woven membrane": lambda: Membrane(REST, SURFACE, OrthotropicMembrane(30.0, 20.0, 5.0, warp=(1.0, 2.0, 3.0)), 0.2),
    "stvk": lambda: Solid(REST, MESH.tets, StVK(MU, LAM)),
    "neo-hookean": lambda: Solid(REST, MESH.tets, NeoHookean(MU, LAM)),
    "stable": lambda: Solid(REST, MESH.tets, StableNeoHookean(MU, LAM)),
    "smith": lambda: Solid(REST, MESH.tets, StableNeoHookeanLog(MU, LAM)),
    "gas": lambda: enclosed_volume(REST, SURFACE, Gas(5.0, 2.0, 1.4)),
}


def deformed(seed: int = 3) -> Array:
    return REST * [1.1, 0.9, 1.05] + np.random.default_rng(seed).uniform(-0.1, 0.1, REST.shape)


@pytest.mark.parametrize("name", TERMS)
def test_constraints_push_like_the_energy(name: str) -> None:
    """For h -> 0 every visit gives -h^2 grad V, whatever the order of the constraints."""
    term, x, h2 = TERMS[name](), deformed(), 1e-11
    plan = plan_for(build_system(REST, np.ones(N), [term]).potential)
    u = np.zeros_like(x)
    for part in (*plan.blocks, *plan.wholes):
        part.sweep(u, Substep(x, np.ones(N), h2), True, False, part.pushes(N, 1))
    gradient = build_system(REST, np.ones(N), [term]).potential.gradient(x)
    assert np.abs(gradient).max() > 1e-2
    np.testing.assert_allclose(-u / h2, gradient, rtol=0, atol=1e-5 * np.abs(gradient).max())


def linear_spring() -> Setup:
    X = np.zeros((2, 3))
    system = build_system(X, np.array([1.0, 2.0]), [HookeSprings(X, np.array([[0, 1]], dtype=np.int32), 40.0)])
    return system, State(
        0.0, np.array([[0.0, 0.0, 0.0], [1.0, 0.5, -0.2]]), np.array([[0.1, 0.2, 0.3], [0.0, 0.0, 1.0]])
    )


def anchored() -> Setup:
    X = np.array([[0.5, -1.0, 0.25]])
    return build_system(X, np.ones(1), [Anchors(np.zeros((1, 3)), 300.0)]), at_rest(X)


@pytest.mark.parametrize("setup", [linear_spring, anchored])
def test_one_linear_constraint_is_backward_euler(setup: Callable[[], Setup]) -> None:
    found = run(setup(), XPBD(substeps=1), 0.1, 20)[-1].state
    wanted = run(setup(), BackwardEuler(), 0.1, 20, tolerance=1e-14)[-1].state
    np.testing.assert_allclose(found.x, wanted.x, rtol=0, atol=1e-12)
    np.testing.assert_allclose(found.v, wanted.v, rtol=0, atol=1e-12)


def distance(setup: Setup, h: float, iterations: int) -> float:
    """From backward Euler after one step, relative to the motion."""
    wanted = run(setup, BackwardEuler(), h, 1, tolerance=1e-14)[-1].state.x
    found = run(setup, XPBD(substeps=1, iterations=iterations), h, 1)[-1].state.x
    return float(np.abs(found - wanted).max() / np.abs(wanted - setup[1].x).max())


CONVERGING: dict[str, Any] = {
    "stvk springs": lambda: (spring_sheet(), 1 / 60, 100),
    "hooke springs": lambda: (spring_sheet(hooke=True), 1 / 60, 100),
    "stvk bar": lambda: (twisted_bar(), 1 / 60, 1000),
    "neo-hookean bar": lambda: (stretched_bar(NeoHookean(500.0, 10.0), cells=(2, 1, 1)), 1 / 300, 100),
    "smith beam": lambda: (held_beam(), 1 / 60, 100),
}


@pytest.mark.parametrize("name", CONVERGING)
def test_iterations_converge_to_backward_euler(name: str) -> None:
    setup, h, enough = CONVERGING[name]()
    assert distance(setup, h, 1) > 1e-3
    assert distance(setup, h, enough) <= 1e-12


def all_thin() -> Setup:
    """Everything that cloth is made of, at once, with gas inside."""
    terms = [
        TERMS[name]() for name in ("membrane", "dihedral", "areas", "gas", "attachments", "anchors", "hooke springs")
    ]
    mass = np.full(N, 0.5)
    return build_system(REST, mass, [*terms, Gravity(mass, np.array([0.0, -9.8, 0.0]))]), at_rest(deformed())


@pytest.mark.study
def test_all_kinds_converge_together() -> None:
    assert distance(all_thin(), 1 / 60, 1) > 1e-3
    assert distance(all_thin(), 1 / 60, 200) <= 1e-12


def large_sheet() -> Setup:
    """Colours large enough to be split between threads."""
    mesh = Cloth(cells=(14, 14)).mesh()
    X, mass = mesh.vertices, np.full(len(mesh.vertices), 1.0 / len(mesh.vertices))
    terms = [
        StVKSprings(X, mesh.edges, 20.0),
        Membrane(X, mesh.triangles, StVKMembrane(100.0, 0.3), 1e-3),
        QuadraticBending(X, mesh.triangles, 1e-4),
        Gravity(mass, np.array([0.0, -9.8, 0.0])),
    ]
    return build_system(X, mass, terms, Motion((hold(mesh.group("left"), X),))), at_rest(X)


@pytest.mark.parametrize("method", [XPBD(), XPBD(substeps=3, iterations=4), PBD(substeps=3)], ids=repr)
def test_bits_do_not_depend_on_threads(method: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for kind in SPLIT:
        monkeypatch.setitem(SPLIT, kind, 30)
    before, ends = threads(), []
    try:
        for count in (1, 2):
            use_threads(count)
            ends.append(run(large_sheet(), method, 1 / 60, 3)[-1].state)
    finally:
        use_threads(before)
    assert np.array_equal(ends[0].x, ends[1].x)
    assert np.array_equal(ends[0].v, ends[1].v)
    assert np.abs(ends[0].x - large_sheet()[1].x).max() > 1e-3


def test_pbd_makes_springs_rigid() -> None:
    system, start = four_nodes()
    springs = system.potential.terms[0]
    for stiffness, allowed in ((1.0, 1e-4), (0.2, 3e-2)):
        end = run((system, start), PBD(iterations=50, stiffness=stiffness), 1 / 60, 60)[-1].state.x
        ends = end[springs.elements]
        lengths = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1)
        assert np.abs(lengths - springs.rest_length).max() <= allowed


@pytest.mark.parametrize("material", [StVK(500.0, 10.0), StableNeoHookean(500.0, 10.0)], ids=lambda m: m.name)
def test_pbd_brings_solids_to_rest(material: Any) -> None:
    system, start = stretched_bar(material, cells=(2, 1, 1), spin=(0.0, 0.0, 0.0))
    end = run((system, start), PBD(iterations=20), 1 / 60, 40)[-1]
    F = system.potential.terms[0].deformation_gradients(end.state.x)
    assert np.abs(np.swapaxes(F, 1, 2) @ F - np.eye(3)).max() <= 1e-3


def dropped(slope: float, mu: float) -> Setup:
    """A point above ground that leans by `slope`."""
    down = 9.8 * np.array([np.sin(slope), -np.cos(slope), 0.0])
    x, mass = np.array([[0.0, 0.02, 0.0]]), np.ones(1)
    contact = ObstacleContact(HalfSpace(), Barrier(100.0, 0.01), [0])
    friction = [Friction(contact, np.array([mu]), 1e-3)] if mu else []
    return build_system(x, mass, [Gravity(mass, down), contact], dissipation=friction), at_rest(x)


def test_a_point_comes_to_rest_where_contact_begins() -> None:
    end = run(dropped(0.0, 0.0), XPBD(), 1 / 60, 30)[-1]
    assert end.state.x[0, 1] == pytest.approx(0.01, abs=1e-12)
    assert np.abs(end.state.v).max() <= 1e-10
    assert end.ledger.energies.other == 0.0


def test_friction_holds_and_slides_as_coulomb_has_it() -> None:
    held = run(dropped(0.3, 0.4), XPBD(), 1 / 60, 40)[-1].state
    assert abs(held.v[0, 0]) <= 1e-10
    frames = run(dropped(0.3, 0.2), XPBD(), 1 / 60, 60)
    v = np.array([f.state.v[0, 0] for f in frames[30:]])
    assert np.diff(v).mean() * 60 == pytest.approx(9.8 * (np.sin(0.3) - 0.2 * np.cos(0.3)), rel=1e-9)
    taken = frames[-1].ledger.dissipated - frames[30].ledger.dissipated
    way = frames[-1].state.x[0, 0] - frames[30].state.x[0, 0]
    assert taken == pytest.approx(0.2 * 9.8 * np.cos(0.3) * way, rel=0.01)


def test_projections_act_in_every_substep() -> None:
    x, mass = np.array([[0.0, 0.5, 0.0]]), np.ones(1)
    ground = Projection(HalfSpace(), [0], restitution=0.5)
    system = build_system(x, mass, [Gravity(mass, np.array([0.0, -9.8, 0.0]))], projections=[ground])
    frames = run((system, at_rest(x)), XPBD(substeps=100), 1 / 30, 17)
    heights = np.array([f.state.x[0, 1] for f in frames])
    assert heights.min() >= 0.0
    after = heights[10:].max()
    assert after == pytest.approx(0.125, abs=0.01)  # e^2 of the drop
    assert abs(sum(f.collided for f in frames) - frames[-1].ledger.residual) <= 0.05


def test_drag_is_booked() -> None:
    system, start = four_nodes()
    damped = build_system(start.x, system.mass, system.potential.terms, dissipation=[Drag(system.mass, 0.5)])
    residuals = []
    for substeps in (10, 40):
        frames = run((damped, start), XPBD(substeps=substeps), 1 / 60, 30)
        assert frames[-1].ledger.dissipated > 0.3
        residuals.append(abs(frames[-1].ledger.residual))
    assert residuals[1] < 0.3 * residuals[0]


def test_refusals_say_what_to_take() -> None:
    odd = build_system(REST, np.ones(N), [Solid(REST, MESH.tets, Corotated(10.0, 10.0))])
    assert "found Solid (corotated); take " in XPBD().refuses(odd)
    hollow = build_system(REST, np.ones(N), [Solid(REST, MESH.tets, NeoHookean(10.0, 0.0))])
    assert "poisson above 0" in PBD().refuses(hollow)
    assert "found HookeSprings; take " in XPBD().refuses(four_nodes(0.3)[0])
    assert XPBD().refuses(all_thin()[0]) == ""


def test_a_single_dashpot_is_refused_and_drag_of_many_vertices_is_not() -> None:
    """What counts is how many vertices a damper couples, whatever the number of dampers."""
    system, start = all_thin()
    for damper, refused in ((Dashpots(np.array([[0, 1]], np.int32), 1.0), True), (Drag(system.mass, 0.5), False)):
        damped = build_system(start.x, system.mass, system.potential.terms, dissipation=[damper])
        assert ("found Dashpots" in XPBD().refuses(damped)) is refused, damper
