"""Mpm as a method among others: memory, resume, retries, refusals."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from swarms import FLOWING, STVK, block

from builders import four_nodes
from methods import METHODS as OF_MESHES
from supple.constraints.motion import Hold, Motion, Prescribed
from supple.contact.barrier_law import Barrier
from supple.contact.obstacles.half_space import HalfSpace, HalfSpaceContact
from supple.dynamics.needs import Need, needs_of
from supple.dynamics.state import State
from supple.dynamics.system import System, build_system
from supple.energies.springs.springs import HookeSprings
from supple.errors import StepRejected, SuppleError
from supple.integrators import INTEGRATORS
from supple.integrators.implicit.avf import AVF
from supple.integrators.implicit.bdf2 import BDF2
from supple.integrators.implicit.energy_momentum import SimoTarnow
from supple.integrators.points import grid_step as steps
from supple.integrators.points import mpm
from supple.integrators.points.mpm import Mpm
from supple.loop import simulate
from supple.points.cloud import Cloud
from supple.points.obstacle import NodeObstacle
from supple.points.transfer import FLIP
from supple.progress import begin, restore
from supple.solvers.strategies import choice
from supple.solvers.tools import StepTools

FLOOR = NodeObstacle(HalfSpace((0.0, 0.02, 0.0)), "separate", 0.3)
METHODS = [Mpm(cell=0.1), Mpm(AVF(), cell=0.1), Mpm(AVF(), cell=0.1, degree=3)]


def clay(method: Mpm) -> tuple[System, State]:
    explicit = method.of.name == "symplectic-euler"
    return block(FLOWING[2] if explicit else STVK, side=3, obstacles=[FLOOR] if explicit else [], speed=0.1)


@pytest.mark.parametrize("method", METHODS, ids=["explicit", "avf", "cubic avf"])
def test_a_run_goes_on_bit_for_bit(method: Mpm) -> None:
    system, state = clay(method)
    whole = list(simulate(system, method, state, 4e-3, 8))[-1]
    tools = StepTools(system)
    half = begin(system, method, state, tools)
    list(simulate(system, method, half, 4e-3, 4, tools))
    meta, arrays = half.save(tools)
    later = StepTools(system)
    kept = restore(meta, {name: array.copy() for name, array in arrays.items()}, later)
    end = list(simulate(system, method, kept, 4e-3, 8, later))[-1]
    assert (end.state.x == whole.state.x).all()
    assert (end.state.v == whole.state.v).all()
    assert end.ledger == whole.ledger
    for name in ("memory.F", "memory.C", "memory.history"):
        assert (end.save()[1][name] == whole.save()[1][name]).all()


@pytest.mark.parametrize("method", METHODS[:2], ids=["explicit", "avf"])
def test_a_step_leaves_its_arguments_alone(method: Mpm) -> None:
    system, state = clay(method)
    memory = method.start(system, state)
    before = {name: array.copy() for name, array in memory.items()}
    ends = [method.advance(system, state, memory, 4e-3, StepTools(system)) for _ in range(2)]
    assert all((memory[name] == before[name]).all() for name in before)
    assert (ends[0][0].x == ends[1][0].x).all()
    assert all((ends[0][1][name] == ends[1][1][name]).all() for name in ends[0][1])


def test_a_step_that_fails_is_taken_in_halves(monkeypatch: pytest.MonkeyPatch) -> None:
    whole: Callable[..., Any] = steps.grid_step

    def short_only(*given: Any) -> Any:
        if given[5] > 3e-3:
            raise StepRejected("it is too long")
        return whole(*given)

    monkeypatch.setattr(mpm, "grid_step", short_only)
    system, state = block(side=3, gravity=False)
    frames = list(simulate(system, Mpm(AVF(), cell=0.1), state, 4e-3, 2))
    assert [frame.h for frame in frames] == [0.0, *[2e-3] * 4]
    assert "taken in steps of 0.002 s, since it is too long" in frames[1].note


def test_momenta_have_the_affine_part() -> None:
    system, state = block(side=3, gravity=False)
    turn = np.array([[0.0, -2.0, 0.0], [2.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    cloud = Cloud(system.clouds[0].vertices, system.clouds[0].volume, STVK, np.tile(turn, (27, 1, 1)))
    system = build_system(state.x, system.mass, [], clouds=[cloud])
    still = State(0.0, state.x, np.zeros_like(state.v))
    frames = simulate(system, Mpm(cell=0.1), still, 2e-3, 10)
    first = next(frames)
    P, L = first.momenta()
    assert np.abs(P).max() == 0.0
    assert abs(L[2] - 4.0 * system.mass.sum() * 0.1**2 / 4.0) < 1e-14
    assert abs(first.ledger.energies.kinetic - 0.5 * system.mass.sum() * 8.0 * 0.1**2 / 4.0) < 1e-14
    assert max(np.abs(frame.momenta()[1] - L).max() for frame in frames) < 1e-14


def test_other_methods_refuse_points_and_mpm_refuses_other_systems() -> None:
    system, _ = block(side=2)
    assert needs_of(system) == {Need.POINTS}
    for name, cls in OF_MESHES.items():
        said = cls().refuses(system)
        assert "cannot move material points, which interact on a grid" in said or "mpm" in said or said, name
    assert AVF().refuses(system) == (
        "avf cannot move material points, which interact on a grid; take mpm around it, or give the body a mesh without points"
    )
    said = Mpm().refuses(four_nodes()[0])
    assert said.startswith("mpm moves material points, and this system has none; take ")
    assert said.endswith(", or give a body points")


def refusal(method: Mpm = Mpm(), **given: Any) -> str:  # noqa: B008
    system, state = block(given.pop("material", STVK), side=2, obstacles=given.pop("obstacles", ()))
    changed = build_system(
        state.x, system.mass, [*system.potential.terms, *given.pop("terms", ())],
        clouds=given.pop("clouds", system.clouds), node_obstacles=system.node_obstacles, **given,
    )  # fmt: skip
    return method.refuses(changed)


def test_refusals_say_what_to_do() -> None:
    pinned = Motion((Prescribed(np.array([0], dtype=np.int32), np.zeros((1, 3)), Hold()),))
    assert refusal(motion=pinned) == (
        'mpm cannot pin or script single points; hold them by an obstacle box with law = "sticky"'
    )
    lone = [Cloud(np.arange(5), np.ones(5), STVK)]
    assert refusal(clouds=lone) == (
        "mpm moves only bodies on its grid, and 3 vertices belong to no cloud and do not ride; give every body points, or let "
        'meshes ride on the grid by points = "vertices"'
    )
    twice = [Cloud(np.arange(8), np.ones(8), STVK), Cloud([3], np.ones(1), STVK)]  # type: ignore[arg-type]
    assert refusal(clouds=twice) == (
        "the vertex 3 belongs to two clouds, or to a cloud and to a mesh that rides; give each vertex to one of them"
    )
    beyond = [Cloud(np.arange(9), np.ones(9), STVK)]
    assert (
        refusal(clouds=beyond) == "clouds have the vertex 8, of 8, which does not exist; give each vertex to one cloud"
    )
    X = np.random.default_rng(0).random((8, 3))
    spring = HookeSprings(X, np.array([[0, 1]]), 1.0)
    assert (
        "mpm carries energies of single points of clouds, and HookeSprings joins several; let the meshes "
        in refusal(terms=[spring])
    )
    assert refusal(Mpm(SimoTarnow()), obstacles=[FLOOR]) == (
        'mpm of simo-tarnow cannot let nodes slide along obstacles (law = "separate"), which avf, midpoint or backward-euler '
        'can; give them law = "quadratic" or "cubic", a potential of the points, or "sticky", or of = "symplectic-euler"'
    )
    assert refusal(Mpm(AVF()), obstacles=[NodeObstacle(HalfSpace(), "sticky")]) == ""
    assert refusal(Mpm(AVF()), material=FLOWING[1]) == (
        'mpm of avf does not see the flow of sand, which comes after the step; of = "symplectic-euler"'
    )
    assert refusal(Mpm(AVF()), material=FLOWING[3]) == ""
    floor = HalfSpaceContact(HalfSpace((0.0, -1.0, 0.0)), Barrier(1.0, 0.1), np.arange(8))
    assert refusal(Mpm(AVF()), terms=[floor]) == ""
    assert "mpm cannot end its steps before a barrier" in refusal(terms=[floor])


def test_transfers_by_name() -> None:
    assert Mpm(transfer="flip") == Mpm(transfer=FLIP())  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (
            lambda: Mpm(BDF2()),
            "mpm.of: found 'bdf2'; mpm takes one-step methods: avf, midpoint, backward-euler, simo-tarnow or symplectic-euler",
        ),
        (lambda: Mpm(transfer="flop"), "unknown transfer 'flop'; did you mean 'flip'? known: affine-flip, apic, "),  # type: ignore[arg-type]
        (lambda: Mpm(cell=-1.0), "mpm.cell: input should be greater than 0, found -1.0"),
        (lambda: Mpm(degree=1), "mpm.degree: unknown value 1"),  # type: ignore[arg-type]
        (lambda: NodeObstacle(HalfSpace(), "barrier"), "on grid nodes allowed are sticky, slip, separate"),  # type: ignore[arg-type]
        (lambda: NodeObstacle(HalfSpace(), "slip", 0.2), 'obstacle.friction: law = "slip" has none'),
        (lambda: Cloud(np.arange(3), np.zeros(3), STVK), "cloud.volume: must be finite and above 0"),
        (lambda: Cloud(np.arange(0), np.zeros(0), STVK), "cloud.vertices: found none"),
    ],
)
def test_options_out_of_bounds(make: Callable[[], object], said: str) -> None:
    with pytest.raises(SuppleError) as problem:
        make()
    assert said in str(problem.value)


@pytest.mark.parametrize("name", [n for n in mpm.ONE_STEP if n != "symplectic-euler"])
def test_every_method_that_may_be_inside_takes_steps(name: str) -> None:
    """With the energy that it keeps on the nodes, and momenta that transfers keep."""
    system, state = block(side=3, gravity=False, speed=0.05)
    run = simulate(system, Mpm(INTEGRATORS.find(name)(), cell=0.1), state, 4e-3, 6)
    found = [(frame, *frame.momenta()) for frame in run]
    (_, P0, L0), (last, P, L) = found[0], found[-1]
    assert np.abs(P - P0).max() < 1e-13
    ledger, exact = last.ledger, name in ("avf", "simo-tarnow")
    assert (abs(ledger.grid.force) < 1e-12 * ledger.initial) == exact
    if name in ("midpoint", "simo-tarnow"):
        assert np.abs(L - L0).max() < 1e-12


def test_crowded_matrices_need_no_factors(monkeypatch: pytest.MonkeyPatch) -> None:
    """Conjugate gradients with blocks of the diagonal find the same step, with its energy, and factorise nothing."""
    monkeypatch.setattr(choice, "CROWDED", 20)
    ends = {}
    for reuse in ("never", "always"):
        system, state = block(side=4, gravity=False, speed=0.05)
        system = build_system(state.x, system.mass, [], clouds=system.clouds, solver={"reuse": reuse})
        tools = StepTools(system)
        *_, end = simulate(system, Mpm(AVF(), cell=0.1), state, 4e-3, 4, tools)
        ends[reuse] = end
        assert abs(end.ledger.grid.force) < 1e-12 * end.ledger.initial
    assert np.abs(ends["never"].state.x - ends["always"].state.x).max() < 1e-9
    assert ends["never"].solve.cg_iterations == 0 < ends["never"].solve.factorisations
    assert ends["always"].solve.factorisations == 0 < ends["always"].solve.cg_iterations
