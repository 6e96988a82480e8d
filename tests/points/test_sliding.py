"""Implicit steps along obstacles at nodes: slip, separate and friction, with the energy that they take."""

from typing import Any

import numpy as np
import pytest
from swarms import STVK, Slide, Turn, block

from supple.constraints.scripts import Translate
from supple.contact.laws import Quadratic
from supple.contact.obstacles.half_space import HalfSpace
from supple.contact.obstacles.shape_contact import shape_contact
from supple.contact.obstacles.shapes import BoxShape, SphereShape
from supple.dynamics.ledger import Ledger
from supple.dynamics.state import State
from supple.dynamics.system import System
from supple.integrators.implicit.avf import AVF
from supple.integrators.implicit.backward_euler import BackwardEuler
from supple.integrators.implicit.energy_momentum import SimoTarnow
from supple.integrators.implicit.midpoint import Midpoint
from supple.integrators.method import Method
from supple.integrators.points.mpm import Mpm
from supple.loop import simulate
from supple.points import TRANSFERS
from supple.points.obstacle import NodeObstacle

FLOOR, WALL = HalfSpace((0.0, 0.02, 0.0)), HalfSpace((0.03, 0.0, 0.0), (1.0, 0.0, 0.0))
LAWS = {
    "slip": (NodeObstacle(SphereShape((0.12, -0.02, 0.12), 0.1), "slip"),),
    "separate": (NodeObstacle(FLOOR, "separate", 0.4),),
    "corner": (NodeObstacle(FLOOR, "separate", 0.2), NodeObstacle(WALL, "slip")),
    "beside sticky": (
        NodeObstacle(BoxShape((0.1, -0.05, 0.1), (0.1, 0.2, 0.1)), "sticky"),
        NodeObstacle(FLOOR, "separate", 0.2),
    ),
}


MOVING = {
    "slip": (NodeObstacle(SphereShape((0.12, -0.02, 0.12), 0.1), "slip", script=Slide()),),
    "separate": (NodeObstacle(FLOOR, "separate", 0.4, Slide()),),
    "corner": (NodeObstacle(FLOOR, "separate", 0.2, Slide()), NodeObstacle(WALL, "slip")),
    "turning": (NodeObstacle(BoxShape((0.1, -0.02, 0.1), (0.3, 0.1, 0.3)), "separate", 0.3, Turn()),),
    "beside sticky": (
        NodeObstacle(BoxShape((0.1, -0.05, 0.1), (0.1, 0.2, 0.1)), "sticky", script=Turn()),
        NodeObstacle(FLOOR, "separate", 0.2),
    ),
}


def gap(ledger: Ledger) -> float:
    return ledger.residual - (ledger.grid.transfer + ledger.grid.force + ledger.grid.collided)


def in_play(ledger: Ledger) -> float:
    return max(ledger.energies.scale, abs(ledger.initial), ledger.dissipated)


def pushed(system: System, state: State, along: float) -> State:
    return State(0.0, state.x, state.v + np.array([along, 0.0, 0.0]))


def cases(laws: dict[str, tuple[NodeObstacle, ...]], midpoint: str, euler: str) -> list[Any]:
    """AVF along all obstacles, the other methods along one each; those along the others are left to the study."""
    quick = {"avf": laws, "midpoint": (midpoint,), "backward-euler": (euler,)}
    return [
        pytest.param(law, of, marks=() if law in quick[of.name] else pytest.mark.study, id=f"{of.name}-{law}")
        for of in (AVF(), Midpoint(), BackwardEuler())
        for law in laws
    ]


@pytest.mark.parametrize(("law", "of"), cases(LAWS, "corner", "beside sticky"))
def test_parts_add_up(law: str, of: Method) -> None:
    system, state = block(side=3, obstacles=LAWS[law], speed=0.1)
    frames = list(simulate(system, Mpm(of, cell=0.1), pushed(system, state, -0.5), 4e-3, 4))
    ledger = frames[-1].ledger
    assert ledger.grid.collided < -0.01
    assert (ledger.dissipated > 1e-4) == (law != "slip")
    assert max(abs(gap(frame.ledger)) for frame in frames) < 1e-12 * in_play(ledger)
    if of.name == "avf":
        assert abs(ledger.grid.force) < 1e-11 * in_play(ledger)


@pytest.mark.parametrize(("law", "of"), cases(MOVING, "turning", "separate"))
def test_work_of_obstacles_that_move(law: str, of: Method) -> None:
    """It is external work, to rounding error, and that of explicit steps to a tenth."""
    system, state = block(side=3, obstacles=MOVING[law], speed=0.1)
    # a ball meets nodes one by one, so means over a few steps are compared
    steps = 15 if law == "slip" else 4 if of.name == "avf" else 8
    ledger = (frames := list(simulate(system, Mpm(of, cell=0.1), state, 4e-3, steps)))[-1].ledger
    assert ledger.external_work > 0.1
    assert max(abs(gap(frame.ledger)) for frame in frames) < 1e-12 * in_play(ledger)
    if of.name == "avf":
        assert abs(ledger.grid.force) < 1e-11 * in_play(ledger)
    *_, explicit = simulate(system, Mpm(cell=0.1), state, 4e-3, steps)
    assert abs(ledger.external_work - explicit.ledger.external_work) < 0.12 * explicit.ledger.external_work


@pytest.mark.parametrize("of", [AVF(), Midpoint(), BackwardEuler()], ids=lambda m: m.name)
def test_a_lift_carries_a_block(of: Method) -> None:
    """Resting on a floor that rises at a constant speed, with gravity: all velocities stay that of the floor."""
    lift = NodeObstacle(HalfSpace((0.0, 0.0, 0.0)), "slip", script=Translate((0.2, 0.5, 0.0)))
    system, state = block(side=3, obstacles=[lift], gravity=False, speed=0.0, fall=-0.5)
    *_, end = simulate(system, Mpm(of, cell=0.1), state, 4e-3, 5)
    assert np.abs(end.state.v - [0.0, 0.5, 0.0]).max() < 1e-12
    assert abs(end.ledger.external_work) < 1e-12


def test_friction_pulls_a_block_along() -> None:
    """A floor that slides under a block at rest gives it mu g t; the heat is that of the slip."""
    belt = NodeObstacle(HalfSpace((0.0, 0.0, 0.0)), "separate", 0.3, Translate((1.0, 0.0, 0.0)))
    system, state = block(side=3, obstacles=[belt], speed=0.0, fall=0.0)
    *_, end = simulate(system, Mpm(AVF(), cell=0.1), state, 0.01, 10)
    assert abs(system.mass @ end.state.v[:, 0] / system.mass.sum() - 0.3 * 9.81 * 0.1) < 0.025
    assert end.ledger.external_work > end.ledger.dissipated > 0.5


@pytest.mark.parametrize("name", TRANSFERS.names())
def test_every_transfer(name: str) -> None:
    system, state = block(side=3, obstacles=LAWS["separate"], speed=0.1)
    ledger = list(simulate(system, Mpm(AVF(), cell=0.1, transfer=TRANSFERS[name]()), state, 4e-3, 3))[-1].ledger
    assert abs(gap(ledger)) < 1e-12 * in_play(ledger)
    assert abs(ledger.grid.force) < 1e-11 * in_play(ledger)


def test_friction_slows_as_in_explicit_steps() -> None:
    """A block that slides on a floor: Coulomb's friction takes mu g t of its speed, and none without friction."""
    ends = {}
    for mu in (0.0, 0.3):
        floor = NodeObstacle(HalfSpace((0.0, 0.0, 0.0)), "separate", mu)
        system, state = block(side=3, obstacles=[floor], speed=0.0, fall=0.0)
        start, steps = pushed(system, state, 1.0), 10 if mu else 4
        for method in (Mpm(cell=0.1), Mpm(AVF(), cell=0.1)):
            *_, end = simulate(system, method, start, 0.01, steps)
            ends[mu, method.of.name] = system.mass @ end.state.v / system.mass.sum()
    assert abs(ends[0.0, "avf"][0] - 1.0) < 1e-12
    assert abs(ends[0.3, "avf"][0] - (1.0 - 0.3 * 9.81 * 0.1)) < 0.025
    assert abs(ends[0.3, "avf"][0] - ends[0.3, "symplectic-euler"][0]) < 0.025


def test_separate_lets_go_and_slip_does_not() -> None:
    heights = {}
    for law in ("slip", "separate"):
        system, state = block(side=3, obstacles=[NodeObstacle(FLOOR, law)], gravity=False, speed=0.0, fall=-1.0)  # type: ignore[arg-type]
        *_, end = simulate(system, Mpm(AVF(), cell=0.1), state, 8e-3, 10)
        heights[law] = float((system.mass @ (end.state.x - state.x))[1] / system.mass.sum())
        if law == "separate":
            assert abs(end.ledger.grid.collided) < 1e-12
    assert abs(heights["separate"] - 0.08) < 1e-9
    assert heights["slip"] < 0.04


def refusal(method: Mpm, *obstacles: NodeObstacle, **given: object) -> str:
    return method.refuses(block(STVK, side=2, obstacles=obstacles, **given)[0])  # type: ignore[arg-type]


def test_refusals() -> None:
    standing, moving = NodeObstacle(FLOOR, "separate"), NodeObstacle(FLOOR, "slip", 0.0, Slide())
    assert refusal(Mpm(AVF()), standing) == refusal(Mpm(AVF()), moving) == ""
    assert 'slide along obstacles (law = "separate"), which avf, midpoint or backward-euler can; give' in refusal(
        Mpm(SimoTarnow()), standing
    )
    ball = shape_contact(SphereShape((0.0, -1.0, 0.0), 0.1), Quadratic(1e3), np.arange(8))
    said = refusal(Mpm(AVF()), standing, terms=[ball])
    assert said == "" or "beside barriers or potentials of curved shapes" in said
