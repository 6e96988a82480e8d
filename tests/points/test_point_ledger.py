"""The ledger of material points closes: what each part did to the energy adds up to its change."""

import numpy as np
import pytest
from swarms import FLOWING, SOLIDS, STVK, Slide, Turn, block, square

from supple.constraints.motion import Script
from supple.contact.laws import Quadratic
from supple.contact.obstacles.half_space import HalfSpace, HalfSpaceContact
from supple.contact.obstacles.shape_contact import shape_contact
from supple.contact.obstacles.shapes import BoxShape, SphereShape
from supple.dynamics.ledger import Ledger
from supple.integrators.implicit.avf import AVF
from supple.integrators.implicit.backward_euler import BackwardEuler
from supple.integrators.implicit.energy_momentum import SimoTarnow
from supple.integrators.method import Method
from supple.integrators.points.mpm import Mpm
from supple.loop import simulate
from supple.materials.flow.fluid import Fluid
from supple.materials.material import Material
from supple.materials.neo_hookean import NeoHookean
from supple.points import TRANSFERS
from supple.points.obstacle import NodeObstacle

LAWS = {
    "sticky": (NodeObstacle(HalfSpace((0.0, 0.02, 0.0)), "sticky"),),
    "slip": (NodeObstacle(SphereShape((0.12, -0.02, 0.12), 0.1), "slip"),),
    "separate": (NodeObstacle(HalfSpace((0.0, 0.02, 0.0)), "separate", 0.4),),
    "lifted": (NodeObstacle(HalfSpace((0.0, 0.02, 0.0)), "separate", 0.4, Slide()),),
    "turned and standing": (
        NodeObstacle(BoxShape((0.1, -0.05, 0.1), (0.3, 0.15, 0.3)), "sticky", 0.0, Turn()),
        NodeObstacle(HalfSpace((0.0, 0.03, 0.0)), "separate", 0.2),
    ),
}


def gap(ledger: Ledger) -> float:
    grid = ledger.grid
    return ledger.residual - (grid.transfer + grid.force + grid.collided + grid.restored)


def in_play(ledger: Ledger) -> float:
    return max(ledger.energies.scale, abs(ledger.initial), ledger.dissipated)


VISCOUS = Fluid(1e4, viscosity=5.0)


@pytest.mark.parametrize(
    ("material", "name", "law"), square([*SOLIDS, *FLOWING, VISCOUS], TRANSFERS.names(), list(LAWS))
)
@pytest.mark.parametrize("steps", [10, pytest.param(200, marks=pytest.mark.study)])
def test_parts_add_up(material: Material, name: str, law: str, steps: int) -> None:
    system, state = block(material, obstacles=LAWS[law], side=4)
    frames = list(simulate(system, Mpm(cell=0.1, transfer=TRANSFERS[name]()), state, 8e-3, steps))
    ledger = frames[-1].ledger
    assert ledger.grid.collided < 0.0
    assert max(abs(gap(frame.ledger)) for frame in frames) < 1e-12 * in_play(ledger)
    assert ledger.grid.plastic <= 1e-12 * in_play(ledger)
    assert ledger.dissipated >= -ledger.grid.plastic - 1e-12 * in_play(ledger)
    if name in ("pic", "apic", "flip", "affine-flip"):
        steps = np.diff([frame.ledger.grid.transfer for frame in frames])
        assert steps.max() <= 1e-13 * in_play(ledger)


@pytest.mark.parametrize("name", TRANSFERS.names())
def test_potentials_of_particles(name: str) -> None:
    """An explicit step through a soft floor and around a ball: their energies are in the force's part."""
    points = np.arange(64)
    floor = HalfSpaceContact(HalfSpace((0.0, -0.005, 0.0)), Quadratic(1e3), points)
    ball = shape_contact(SphereShape((0.1, -0.06, 0.1), 0.05), Quadratic(1e3), points)
    system, state = block(side=4, terms=[floor, ball], speed=0.05)
    frames = list(simulate(system, Mpm(cell=0.1, transfer=TRANSFERS[name]()), state, 4e-3, 30))
    assert max(frame.ledger.energies.other for frame in frames) > 0.1
    assert max(abs(gap(frame.ledger)) for frame in frames) < 1e-12 * in_play(frames[0].ledger)
    assert abs(frames[-1].ledger.grid.force) < 0.2 * in_play(frames[0].ledger)


def test_the_parts_are_those_of_their_causes() -> None:
    """A free block has only losses of transfers and forces; friction dissipates energy where bodies slide."""
    system, state = block()
    free = list(simulate(system, Mpm(cell=0.1), state, 2e-3, 10))[-1].ledger
    assert (
        free.grid.collided == free.grid.plastic == free.grid.hardening == free.dissipated == free.external_work == 0.0
    )
    sliding = [NodeObstacle(HalfSpace((0.0, 0.02, 0.0)), "separate", mu) for mu in (0.0, 0.5)]
    heat = []
    for floor in sliding:
        system, state = block(obstacles=[floor])
        start = state.v + np.array([2.0, 0.0, 0.0])
        ledger = list(simulate(system, Mpm(cell=0.1), type(state)(0.0, state.x, start), 2e-3, 20))[-1].ledger
        heat.append(ledger.dissipated)
    assert abs(heat[0]) < 1e-13
    assert heat[1] > 0.1


@pytest.mark.parametrize("material", SOLIDS, ids=lambda m: m.name)
@pytest.mark.parametrize("name", TRANSFERS.names())
def test_avf_on_the_nodes_keeps_the_energy(material: Material, name: str) -> None:
    """The residual of the grid is rounding error, with gravity and a floor too; only transfers lose energy."""
    floor = HalfSpaceContact(HalfSpace((0.0, -0.005, 0.0)), Quadratic(2e4), np.arange(27))
    system, state = block(material, side=3, terms=[floor], speed=0.1)
    frames = list(simulate(system, Mpm(AVF(), cell=0.1, transfer=TRANSFERS[name]()), state, 4e-3, 6))
    ledger = frames[-1].ledger
    assert max(frame.ledger.energies.other for frame in frames) > 1e-4
    steps = np.diff([frame.ledger.grid.force for frame in frames])
    assert np.abs(steps).max() < (1e-11 if isinstance(material, NeoHookean) else 1e-13) * in_play(ledger)
    assert abs(gap(ledger)) < 1e-12 * in_play(ledger)


SCRIPTS: dict[str, Script | None] = {"standing": None, "sliding": Slide(), "turning": Turn()}


@pytest.mark.parametrize(
    ("name", "moves", "of"), square(TRANSFERS.names(), list(SCRIPTS), [AVF(), SimoTarnow(), BackwardEuler()])
)
def test_implicit_steps_with_nodes_that_are_held(name: str, moves: str, of: Method) -> None:
    """A block that sticks to a box: work of the box is `collided`, or external work."""
    script = SCRIPTS[moves]
    box = NodeObstacle(BoxShape((-0.05, 0.1, 0.1), (0.2, 0.4, 0.4)), "sticky", 0.0, script)
    system, state = block(side=4, obstacles=[box], speed=0.1, fall=0.2)
    frames = list(simulate(system, Mpm(of, cell=0.1, transfer=TRANSFERS[name]()), state, 4e-3, 3))
    ledger = frames[-1].ledger
    assert ledger.grid.collided < 0.0
    assert (ledger.external_work == 0.0) == (script is None)
    assert abs(gap(ledger)) < 1e-12 * in_play(ledger)
    exact = of.name != "backward-euler"
    assert (abs(ledger.grid.force) < 1e-11 * in_play(ledger)) == exact


def test_a_block_hangs_on_a_sticky_box() -> None:
    """Under AVF it swings with its energy, less the losses by transfers and the box."""
    box = NodeObstacle(BoxShape((-0.1, 0.1, 0.1), (0.25, 0.6, 0.6)), "sticky")
    system, state = block(STVK, side=4, obstacles=[box], speed=0.0, fall=0.0)
    *_, end = simulate(system, Mpm(AVF(), cell=0.1), state, 0.015, 20)
    assert np.abs(end.state.x[:, 0] - state.x[:, 0]).max() < 0.05
    assert 1e-4 < (state.x - end.state.x)[:, 1].max() < 0.05
    free, start = block(STVK, side=4, speed=0.0, fall=0.0)
    *_, fallen = simulate(free, Mpm(AVF(), cell=0.1), start, 0.03, 10)
    assert (start.x - fallen.state.x)[:, 1].min() > 0.4


def test_backward_euler_loses_on_the_nodes() -> None:
    system, state = block(side=3, gravity=False)
    ledger = list(simulate(system, Mpm(BackwardEuler(), cell=0.1), state, 4e-3, 5))[-1].ledger
    assert ledger.grid.force < -1e-3 * ledger.initial
    assert abs(gap(ledger)) < 1e-12 * ledger.initial
