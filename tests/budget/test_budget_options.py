"""Effects of the options of the budget: fractions, contacts, dampers, prescribed vertices, the cap, and its memory."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from spinning import measured, spinning_bar

from builders import Setup, at_rest, hold, run
from supple.budget.energy_budget import EnergyBudget
from supple.constraints.motion import Motion
from supple.constraints.scripts import Rotate
from supple.damping.dashpot import Dashpots
from supple.damping.drag import Drag
from supple.dynamics.invariants import momenta
from supple.dynamics.state import State
from supple.dynamics.step import Memory, StepReport, Tools
from supple.dynamics.system import System, build_system
from supple.energies.gravity import Gravity
from supple.energies.solids.solid import Solid
from supple.energies.springs.springs import StVKSprings
from supple.energies.term import EnergyTerm
from supple.errors import StepRejected, SuppleError
from supple.integrators import INTEGRATORS
from supple.integrators.explicit.runge_kutta import ForwardEuler
from supple.integrators.implicit.backward_euler import BackwardEuler
from supple.integrators.implicit.bdf2 import BDF2
from supple.loop import simulate
from supple.materials.neo_hookean import NeoHookean
from supple.materials.stvk import StVK
from supple.mesh.measure import lumped_mass
from supple.mesh.shapes.solid import Bar
from supple.mesh.topology import unique_edges
from supple.progress import begin, restore
from supple.solvers.tools import StepTools
from supple.types import Ints

H = 0.02


@dataclass(frozen=True)
class Touching(BackwardEuler):
    """Backward Euler that reports vertices in contact with something, or with their own body."""

    contacts: tuple[int, ...] = ()
    self_contacts: tuple[int, ...] = ()

    def step(self, system: System, state: State, memory: Memory, h: float, tools: Tools) -> Any:
        new, memory, report = super().step(system, state, memory, h, tools)
        return new, memory, replace(report, contacts=_ints(self.contacts), self_contacts=_ints(self.self_contacts))


def _ints(vertices: tuple[int, ...]) -> Ints | None:
    return np.array(vertices, dtype=np.int32) if vertices else None


def one_step(method: Any, setup: Setup | None = None) -> tuple[float, State, State, StepReport]:
    """Relative change of the energy in one step, the state of the bare method, that with the budget, and the report."""
    system, start = setup or spinning_bar()
    tools = StepTools(system)
    bare, _, _ = method.of.advance(system, start, method.of.start(system, start), H, tools)
    new, _, report = method.advance(system, start, method.start(system, start), H, tools)
    before = tools.energies(start).total
    return tools.energies(new).total / before - 1, bare, new, report


def lost(method: Any) -> float:
    """Loss of the bare method in the same step."""
    return one_step(replace(method, restore=0.0))[0]


def test_nothing_restored_is_the_bare_method() -> None:
    plain = run(spinning_bar(), BackwardEuler(), H, 20)[-1]
    same = run(spinning_bar(), EnergyBudget(BackwardEuler(), restore=0.0), H, 20)[-1]
    assert np.array_equal(plain.state.x, same.state.x)
    assert np.array_equal(plain.state.v, same.state.v)
    assert plain.ledger.energies == same.ledger.energies


@pytest.mark.parametrize("option", ["restore", "integration"])
@pytest.mark.parametrize("fraction", [0.25, 0.5, 1.0])
def test_a_fraction_of_what_is_lost_comes_back(option: str, fraction: float) -> None:
    method = EnergyBudget(BackwardEuler(), momentum=option == "restore", **{option: fraction})
    assert lost(method) < -1e-3
    assert one_step(method)[0] == pytest.approx((1 - fraction) * lost(method), rel=1e-9, abs=1e-14)


def test_half_comes_back_over_a_run() -> None:
    """The ledger of every step separately: the run loses about half as much."""
    bare, half = (measured(spinning_bar(), m, 0.01, 100) for m in (BackwardEuler(), EnergyBudget(BackwardEuler(), 0.5)))
    assert bare.energy == pytest.approx(0.0847, rel=0.02)
    assert 0.4 < half.energy / bare.energy < 0.6
    assert 0.4 < half.angular / bare.angular < 0.6


def test_contact_chooses_the_channel() -> None:
    touching = Touching(contacts=(0, 1))
    for fraction in (0.0, 0.4, 1.0):
        method = EnergyBudget(touching, collision=fraction, integration=0.3, self_collision=0.7)
        assert one_step(method)[0] == pytest.approx((1 - fraction) * lost(method), rel=1e-9, abs=1e-14)
    itself = EnergyBudget(Touching(self_contacts=(0, 1)), collision=0.1, self_collision=0.4, momentum=False)
    assert one_step(itself)[0] == pytest.approx(0.6 * lost(itself), rel=1e-9)
    both = EnergyBudget(Touching(contacts=(0,), self_contacts=(1,)), collision=0.4, self_collision=0.0)
    assert one_step(both)[0] == pytest.approx(0.6 * lost(both), rel=1e-9)


def test_touching_vertices_are_left_alone_and_their_body_is_not_free() -> None:
    """Contact takes momentum: none is restored."""
    _, bare, new, report = one_step(EnergyBudget(Touching(contacts=(0, 5))))
    changed = np.flatnonzero((bare.v != new.v).any(axis=1))
    assert set(changed) == set(range(20)) - {0, 5}
    assert np.array_equal(bare.x, new.x)
    assert report.contacts is not None


def test_a_body_that_touches_itself_keeps_its_momenta() -> None:
    """Touching vertices may only follow the body as a whole."""
    setup = spinning_bar()
    kept = measured(setup, EnergyBudget(Touching(self_contacts=(0, 5))), H, 50)
    assert max(kept.energy, kept.linear, kept.angular) <= 1e-12
    _, bare, new, _ = one_step(EnergyBudget(Touching(self_contacts=(0, 5))))
    free = one_step(EnergyBudget(BackwardEuler()))[2]
    gap = np.linalg.norm((new.v - bare.v)[0] - (new.v - bare.v)[5]) / np.linalg.norm((free.v - bare.v)[0])
    assert gap < 0.5


DAMPERS = [lambda mass: Drag(mass, 0.5), lambda mass: Dashpots(unique_edges(_mesh().tets), 20.0)]


def _mesh() -> Any:
    return Bar(cells=(4, 1, 1), size=(2.0, 0.5, 0.5), tets=6).mesh()


@pytest.mark.parametrize("damper", DAMPERS, ids=["drag", "dashpots"])
def test_requested_dissipation_stays_lost_or_comes_back(damper: Any) -> None:
    setup = spinning_bar(damper)
    rows = run(setup, EnergyBudget(BackwardEuler()), H, 50)
    scale = rows[0].ledger.energies.scale
    assert rows[-1].ledger.dissipated > 0.01 * scale
    assert max(abs(f.ledger.residual) for f in rows) <= 1e-12 * scale
    conserved = measured(setup, EnergyBudget(BackwardEuler(), dissipation=1.0), H, 50)
    assert conserved.energy <= 1e-12
    assert conserved.frames[-1].ledger.dissipated > 0.01 * scale


def test_drag_takes_momentum_and_dashpots_do_not() -> None:
    method, flying = EnergyBudget(BackwardEuler()), (3.0, 0.0, 0.0)
    slowed = run(spinning_bar(DAMPERS[0], drift=flying), method, 0.01, 100)
    system = spinning_bar(DAMPERS[0])[0]
    first, last = (momenta(system, f.state)[0][0] for f in (slowed[0], slowed[-1]))
    assert last / first == pytest.approx((1 + 0.5 * 0.01) ** -100, rel=1e-10)  # backward Euler's own decay
    kept = measured(spinning_bar(DAMPERS[1], drift=flying), method, 0.01, 100)
    assert max(kept.linear, kept.angular) <= 1e-12


def driven_bar() -> Setup:
    """One end turned by a script, the other one pinned."""
    mesh = Bar(cells=(3, 1, 1), size=(1.5, 0.5, 0.5)).mesh()
    X, mass = mesh.vertices, lumped_mass(mesh, density=2.0)
    script = Rotate((1.0, 0.0, 0.0), (1.5, 0.25, 0.25), 2.0)
    motion = Motion((hold(mesh.group("left"), X), hold(mesh.group("right"), X, script)))
    terms = [Solid(X, mesh.tets, StVK(300.0, 100.0)), Gravity(mass, np.array([0.0, -9.81, 0.0]))]
    return build_system(X, mass, terms, motion), at_rest(X.copy())


def test_work_of_scripts_is_no_error_and_prescribed_vertices_keep_theirs() -> None:
    system, start = driven_bar()
    rows = run((system, start), EnergyBudget(BackwardEuler()), 1 / 60, 60)
    bare = run((system, start), BackwardEuler(), 1 / 60, 60)
    scale = max(f.ledger.energies.scale for f in rows)
    assert rows[-1].ledger.external_work > 0.1 * scale
    assert abs(bare[-1].ledger.residual) > 3e-3 * scale
    assert max(abs(f.ledger.residual) for f in rows) <= 1e-12 * scale
    held = system.motion.held(system.n)
    for ours, theirs in zip(rows, bare, strict=True):
        assert np.array_equal(ours.state.x[held], theirs.state.x[held])
        assert np.array_equal(ours.state.v[held], theirs.state.v[held])


def test_the_cap_limits_the_change_and_the_rest_is_carried_over() -> None:
    """Without momentum, so that only the correction differs."""
    method = EnergyBudget(BackwardEuler(), momentum=False)
    system, start = spinning_bar()

    def change(cap: float | None) -> float:
        _, bare, new, _ = one_step(replace(method, cap=cap))
        weight = system.mass[:, None]
        return float(np.sqrt((weight * (new.v - bare.v) ** 2).sum() / (weight * bare.v**2).sum()))

    assert change(None) > 0.01
    assert change(0.01) == pytest.approx(0.01, rel=1e-9)
    assert change(10.0) == change(None)
    capped = run((system, start), EnergyBudget(BackwardEuler(), cap=0.01), H, 200)
    gap = np.abs([f.ledger.residual for f in capped]) / capped[0].ledger.energies.scale
    assert 1e-3 < gap.max() < 0.1
    assert any("missing and cannot be restored" in f.note for f in capped)


def test_without_momentum_the_energy_is_kept_and_the_spin_is_not() -> None:
    kept = measured(spinning_bar(), EnergyBudget(BackwardEuler(), momentum=False), H, 50)
    bare = measured(spinning_bar(), BackwardEuler(), H, 50)
    assert kept.energy <= 1e-12
    assert kept.angular > bare.angular > 0.01


@pytest.mark.parametrize("name", ["bdf2", "verlet", "newmark", "yoshida"])
def test_a_saved_run_goes_on_to_the_same_bits(name: str) -> None:
    system, start = spinning_bar(DAMPERS[0])
    method = EnergyBudget(INTEGRATORS.find(name)(), cap=0.001)
    h, tools = 0.004, StepTools(system)
    *_, whole = simulate(system, method, begin(system, method, start, tools), h, 6, tools)
    tools = StepTools(system)
    progress = begin(system, method, start, tools)
    for frame in simulate(system, method, progress, h, 6, tools):
        if frame.step == 3:
            break
    meta, arrays = progress.save(tools)
    assert "memory.owed" in arrays
    tools = StepTools(system)
    *_, last = simulate(system, method, restore(meta, arrays, tools), h, 6, tools)
    assert np.array_equal(last.state.x, whole.state.x)
    assert np.array_equal(last.state.v, whole.state.v)
    assert last.ledger == whole.ledger


def test_remembered_velocities_move_along() -> None:
    system, start = spinning_bar()
    method, tools = EnergyBudget(BDF2()), StepTools(system)
    new, memory, _ = method.advance(system, start, method.start(system, start), H, tools)
    bare, inner, _ = BDF2().advance(system, start, {}, H, tools)
    np.testing.assert_allclose(memory["of.v"] - inner["v"], new.v - bare.v, rtol=0, atol=1e-15)
    assert np.abs(new.v - bare.v).max() > 1e-6
    kicked = method.kicked(memory, np.ones_like(new.v))
    np.testing.assert_allclose(kicked["of.v"] - memory["of.v"], 1.0, rtol=0, atol=1e-12)
    assert kicked["owed"] == memory["owed"]


def test_two_bodies_keep_their_own_momenta() -> None:
    """They turn in opposite directions, so their sum would prove nothing."""
    mesh = Bar(cells=(3, 1, 1), size=(1.5, 0.5, 0.5), tets=6).mesh()
    X, n = mesh.vertices, len(mesh.vertices)
    both = np.concatenate([X, X + np.array([0.0, 2.0, 0.0])])
    solids: list[EnergyTerm] = [
        Solid(both, (mesh.tets + k * n).astype(np.int32), StVK(3e3 * (k + 1), 2e3)) for k in (0, 1)
    ]
    system = build_system(both, np.tile(lumped_mass(mesh, density=1000.0), 2), solids)
    arm = np.concatenate([X, X]) - X.mean(axis=0)
    v = np.cross([0.3, 1.0, 2.0], arm)
    v[n:] *= -0.5
    start = State(0.0, both + 0.1 * arm, v)
    frames = run((system, start), EnergyBudget(BackwardEuler()), H, 50)
    assert max(abs(f.ledger.residual) for f in frames) <= 1e-12 * frames[0].ledger.energies.total
    for part in (slice(0, n), slice(n, None)):
        L = np.array([np.cross(f.state.x[part], system.mass[part, None] * f.state.v[part]).sum(axis=0) for f in frames])
        assert np.abs(L - L[0]).max() <= 1e-12 * np.linalg.norm(L[0])


def test_a_step_into_nowhere_is_rejected() -> None:
    """The energy of a turned-over element is infinite: such a step cannot be balanced."""
    mesh = Bar(cells=(1, 1, 1), size=(1.0, 1.0, 1.0), tets=6).mesh()
    X = mesh.vertices
    system = build_system(X, lumped_mass(mesh, density=1.0), [Solid(X, mesh.tets, NeoHookean(1.0, 1.0))])
    v = np.where(X > 0.5, -1.0, 1.0) * np.array([6.0, 0.0, 0.0])
    method, tools, start = EnergyBudget(ForwardEuler()), StepTools(system), State(0.0, X.copy(), v)
    with pytest.raises(StepRejected, match=r"the energy after the step to t = 0\.1 s is inf"):
        method.advance(system, start, method.start(system, start), 0.1, tools)
    method.advance(system, start, method.start(system, start), 0.05, tools)


def test_what_is_refused() -> None:
    with pytest.raises(SuppleError, match=r"energy-budget\.of: found 'quasi-static', which has no velocities"):
        EnergyBudget(INTEGRATORS.find("quasi-static")())
    with pytest.raises(SuppleError, match="which already has a budget"):
        EnergyBudget(EnergyBudget(BackwardEuler()))
    for name in ("restore", "integration", "collision", "self_collision", "dissipation"):
        with pytest.raises(SuppleError, match=rf"energy-budget.{name}: found 1.5; allowed are numbers from 0 to 1"):
            EnergyBudget(BackwardEuler(), **{name: 1.5})
    with pytest.raises(SuppleError, match=r"cap: found 0\.0"):
        EnergyBudget(BackwardEuler(), cap=0.0)


def test_facts_follow_the_method_inside() -> None:
    facts = EnergyBudget(BackwardEuler()).facts
    assert (facts.order, facts.solves, facts.symmetric) == (1, 1, False)
    assert set(facts.conserves) == {"energy", "energy of linear bodies", "linear momentum", "angular momentum"}
    assert EnergyBudget(BackwardEuler(), restore=0.5, momentum=False).facts.conserves == ("linear momentum",)
    assert EnergyBudget(BDF2()).freezes_at == BDF2().freezes_at


def test_particles_without_a_body_are_left_to_the_method() -> None:
    X = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [5.0, 0.0, 0.0]])
    mass = np.array([1.0, 1.0, 2.0])
    springs = StVKSprings(X, np.array([[0, 1]], dtype=np.int32), 10.0)
    system = build_system(X, mass, [springs, Gravity(mass, np.array([0.0, -9.8, 0.0]))])
    setup = system, State(0.0, X * 1.1, np.array([[0.0, 0.5, 0.0], [0.0, -0.5, 0.2], [1.0, 2.0, 0.0]]))
    _, bare, new, _ = one_step(EnergyBudget(BackwardEuler()), setup)
    assert np.array_equal(bare.v[2], new.v[2])
    assert not np.array_equal(bare.v[0], new.v[0])
