"""Corotational bodies in motion: the reversible method, and exact gradients in midpoint and avf."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from builders import Setup, drift, four_nodes, hold, run, stretched_bar
from supple.constraints.motion import Motion
from supple.constraints.scripts import Rotate
from supple.damping.drag import Drag
from supple.dynamics.invariants import momenta
from supple.dynamics.state import State
from supple.dynamics.system import System, build_system
from supple.energies.corotational.mandel import isotropic
from supple.energies.corotational.rest import Frame, Held
from supple.energies.corotational.term import Corotational
from supple.energies.gravity import Gravity
from supple.energies.solids.solid import Solid
from supple.integrators.implicit.avf import AVF
from supple.integrators.implicit.backward_euler import BackwardEuler
from supple.integrators.implicit.midpoint import Midpoint
from supple.integrators.linear.corotational import CorotationalReversible
from supple.integrators.yoshida import Yoshida
from supple.linalg.threads import threads, use_threads
from supple.loop import Frame as StepFrame
from supple.materials.linear import Linear
from supple.materials.stvk import StVK
from supple.mesh.measure import lumped_mass
from supple.mesh.shapes.solid import Bar
from supple.types import Array

REVERSIBLE = CorotationalReversible()
ISOTROPIC = isotropic(2e4, 0.3)
_RANDOM = np.random.default_rng(0).standard_normal((6, 6))
ANISOTROPIC = isotropic(1e4, 0.3) + 2e3 * _RANDOM @ _RANDOM.T
MESH = Bar(cells=(4, 1, 1), size=(2.0, 0.5, 0.5), tets=6).mesh()
X = np.ascontiguousarray(MESH.vertices - MESH.vertices.mean(axis=0))
MASS = lumped_mass(MESH, density=1000.0)


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Bodies of 24 tets are not worth a second one."""
    before = threads()
    use_threads(1)
    yield
    use_threads(before)


def spinning_bar(stiffness: Array = ISOTROPIC, frame: Frame = "polar") -> Setup:
    """24 tets, stretched by a tenth and spinning; the highest frequency is 32.5 rad/s."""
    x = X * [1.1, 1.0, 1.0]
    system = build_system(X, MASS, [Corotational(X, MESH.tets, stiffness, frame)])
    return system, State(0.0, x, np.cross([0.3, 1.0, 2.0], x))


def swinging_bar(drag: float = 0.0, script: Any = None) -> Setup:
    """Held or led at its left end, under gravity."""
    terms = [Corotational(X, MESH.tets, ISOTROPIC), Gravity(MASS, np.array([0.0, -2.0, 0.5]))]
    motion = Motion((hold(MESH.group("left"), X, script),))
    system = build_system(X, MASS, terms, motion, [Drag(MASS, drag)] if drag else [])
    return system, State(0.0, X.copy(), system.motion.drive(np.zeros_like(X), 0.0))


def spin_drift(system: System, frames: list[StepFrame]) -> float:
    """Largest change of the angular momentum over its size."""
    L = np.array([momenta(system, f.state)[1] for f in frames])
    return float(np.linalg.norm(L - L[0], axis=1).max() / np.linalg.norm(L[0]))


def check_bounds(steps: int) -> None:
    setup = spinning_bar()
    frames = run(setup, REVERSIBLE, 0.02, steps)
    assert 5e-4 <= drift(frames) <= 2.5e-3
    assert spin_drift(setup[0], frames) <= 1e-3
    assert all(f.solve.factorisations == 1 for f in frames[1:])


def test_energy_and_spin_stay_within_bounds() -> None:
    check_bounds(500)


@pytest.mark.study
def test_energy_and_spin_stay_within_bounds_for_long() -> None:
    check_bounds(10_000)


def test_twice_the_step() -> None:
    setup = spinning_bar()
    frames = run(setup, REVERSIBLE, 0.04, 200)
    assert drift(frames) <= 7e-3
    assert spin_drift(setup[0], frames) <= 3e-3


def test_backward_euler_loses_most_of_it() -> None:
    frames = run(spinning_bar(), BackwardEuler(), 0.02, 200)
    assert frames[-1].ledger.energies.total < 0.6 * frames[0].ledger.energies.total


@pytest.mark.study
def test_plain_forces_of_other_frames_blow_up() -> None:
    """Why the method refuses them: they are no gradient, and do work in turning."""
    system, state = spinning_bar(frame="kabsch")
    assert "Corotational (kabsch frames)" in REVERSIBLE.refuses(system)
    kabsch = type("Kabsch", (CorotationalReversible,), {"refuses": lambda self, system: ""})()
    frames = run((system, state), kabsch, 0.02, 1500)
    assert frames[-1].ledger.energies.total > 10 * frames[0].ledger.energies.total


@pytest.mark.parametrize("frame", ["polar", "kabsch"])
@pytest.mark.parametrize("stiffness", [ISOTROPIC, ANISOTROPIC], ids=["isotropic", "anisotropic"])
def test_midpoint_with_the_exact_gradient_keeps_the_spin(stiffness: Array, frame: Frame) -> None:
    setup = spinning_bar(stiffness, frame)
    frames = run(setup, Midpoint(), 0.02, 40, tolerance=1e-12)
    assert spin_drift(setup[0], frames) <= 1e-12
    assert drift(frames) <= 1e-3
    assert max(f.solve.iterations for f in frames) <= 6


def test_avf_keeps_the_energy() -> None:
    assert drift(run(spinning_bar(ANISOTROPIC, "kabsch"), AVF(), 0.02, 30)) <= 1e-10


@pytest.mark.parametrize("setup", [spinning_bar, swinging_bar], ids=["free", "held"])
def test_a_run_backwards_returns(setup: Any) -> None:
    system, start = setup()
    there = run((system, start), REVERSIBLE, 0.02, 80)[-1].state
    assert np.abs(there.x - start.x).max() > 0.1
    back = run((system, State(0.0, there.x, -there.v)), REVERSIBLE, 0.02, 80)[-1].state
    np.testing.assert_allclose(back.x, start.x, rtol=0, atol=1e-9)
    np.testing.assert_allclose(-back.v, start.v, rtol=0, atol=1e-8)


def observed_order(setup: Setup, method: Any, h: float, duration: float) -> float:
    """From the distances between ends with h, h/2 and h/4."""
    ends = []
    for k in (1, 2, 4):
        state = run(setup, method, h / k, round(k * duration / h))[-1].state
        ends.append(np.concatenate([state.x, state.v]))
    return float(np.log2(np.abs(ends[0] - ends[1]).max() / np.abs(ends[1] - ends[2]).max()))


ROTATE = Rotate((0.0, 0.0, 1.0), (0.0, 0.0, 0.0), 0.8)


@pytest.mark.parametrize(
    "setup",
    [spinning_bar, lambda: swinging_bar(0.5), lambda: swinging_bar(0.5, ROTATE)],
    ids=["free", "dragged", "led"],
)
def test_order_two(setup: Callable[[], Setup]) -> None:
    assert observed_order(setup(), REVERSIBLE, 0.01, 0.4) == pytest.approx(2.0, abs=0.1)


def test_composed_to_order_four() -> None:
    system, start = four_nodes(hooke=True)
    dragged = build_system(start.x, system.mass, system.potential.terms, dissipation=[Drag(system.mass, 0.3)])
    assert observed_order((dragged, start), Yoshida(REVERSIBLE), 0.02, 0.4) == pytest.approx(4.0, abs=0.3)


def test_it_tends_to_the_midpoint_rule() -> None:
    setup = swinging_bar(0.5)
    ours, theirs = (run(setup, method, 0.002, 50)[-1].state for method in (REVERSIBLE, Midpoint()))
    assert np.abs(ours.x - theirs.x).max() <= 1e-5 * np.abs(ours.x - setup[1].x).max()


def test_of_a_linear_body_it_is_the_midpoint_rule() -> None:
    setup = stretched_bar(Linear(500.0, 10.0))
    ours, theirs = (run(setup, method, 0.02, 20, tolerance=1e-14)[-1].state for method in (REVERSIBLE, Midpoint()))
    np.testing.assert_allclose(ours.x, theirs.x, rtol=0, atol=1e-11)
    np.testing.assert_allclose(ours.v, theirs.v, rtol=0, atol=1e-10)


@pytest.mark.parametrize("script", [None, ROTATE], ids=["held", "led"])
def test_the_ledger_closes_with_drag_and_scripts(script: Any) -> None:
    residuals = []
    for h in (0.01, 0.005):
        frames = run(swinging_bar(0.5, script), REVERSIBLE, h, round(0.5 / h))
        moved = abs(frames[-1].ledger.dissipated) + abs(frames[-1].ledger.external_work)
        assert moved > 1.0
        residuals.append(max(abs(f.ledger.residual) for f in frames) / moved)
    assert residuals[1] <= 2e-3
    assert residuals[1] < 0.35 * residuals[0]


def test_what_it_cannot_take_it_says() -> None:
    tets = MESH.tets
    pins = Held(MESH.group("left"), X[MESH.group("left")])
    bodies = {
        "Solid": Solid(X, tets, StVK(1e4, 1e4)),
        r"Corotational \(anisotropic\)": Corotational(X, tets, ANISOTROPIC),
        r"Corotational \(frames about an axis\)": Corotational(X, tets, ISOTROPIC, held=pins),
    }
    for words, term in bodies.items():
        said = REVERSIBLE.refuses(build_system(X, MASS, [term]))
        assert said.startswith("corotational-reversible is for corotational bodies with polar frames")
        assert words.replace("\\", "") in said
        assert "; take avf, " in said
    for setup in (spinning_bar(), swinging_bar(0.5, ROTATE), four_nodes(hooke=True)):
        assert REVERSIBLE.refuses(setup[0]) == ""
