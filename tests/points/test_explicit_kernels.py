"""Explicit kernels: the same step as that of the engine's own stage, the same bits at any number of threads, stable substeps."""

from dataclasses import astuple

import numpy as np
import pytest
from swarms import FLOWING, SOLIDS, STVK, Slide, block, strained

from supple.contact.obstacles.half_space import HalfSpace
from supple.contact.obstacles.shapes import SphereShape
from supple.dynamics.state import State
from supple.errors import StepFailed, SuppleError
from supple.integrators.explicit.symplectic import SymplecticEuler
from supple.integrators.points.explicit_step import explicit_step
from supple.integrators.points.grid_step import Around, grid_step
from supple.integrators.points.mpm import Mpm
from supple.linalg.threads import threads, use_threads
from supple.loop import simulate
from supple.materials.material import Material
from supple.points import TRANSFERS
from supple.points.limit import Limit
from supple.points.obstacle import NodeObstacle
from supple.points.spline import Degree, Spline
from supple.points.transfer import APIC, FLIP, Transfer
from supple.solvers.tools import StepTools

TRANSFERRED = [TRANSFERS.load()[name]() for name in sorted(TRANSFERS.load())]
OBSTACLES = (
    NodeObstacle(HalfSpace((0.0, 0.02, 0.0)), "separate", 0.3, Slide()),
    NodeObstacle(SphereShape((0.15, 0.0, 0.15), 0.1), "slip"),
)


@pytest.mark.parametrize("material", [*SOLIDS, *FLOWING], ids=lambda m: m.name)
@pytest.mark.parametrize("transfer", TRANSFERRED, ids=lambda t: t.name)
@pytest.mark.parametrize("degree", [2, 3])
def test_kernels_agree_with_a_step_of_the_stage(material: Material, transfer: Transfer, degree: Degree) -> None:
    system, state = block(material, obstacles=OBSTACLES)
    matter = strained(system.n, history=system.clouds[0].remembers)
    around = Around(Spline(degree, 0.1), transfer, "mls")
    fast = explicit_step(system, state, matter, 1e-4, around, Limit(0.1, 1.0, 1))
    slow = grid_step(system, SymplecticEuler(), state, matter, {}, 1e-4, around, StepTools(system))
    assert np.abs(fast[0].x - slow[0].x).max() < 1e-15
    assert np.abs(fast[0].v - slow[0].v).max() < 1e-13
    assert np.abs(fast[1].F - slow[1].F).max() < 1e-13
    assert np.abs(fast[1].C - slow[1].C).max() < 1e-12
    assert np.abs(fast[1].history - slow[1].history).max(initial=0.0) < 1e-13
    assert fast[2].grid is not None
    assert slow[3].grid is not None
    for one, two in zip(astuple(fast[2].grid), astuple(slow[3].grid), strict=True):
        assert abs(one - two) < 1e-13 * 60.0  # of the energy in play
    assert abs((fast[2].dissipated or 0.0) - (slow[3].dissipated or 0.0)) < 1e-12
    assert abs((fast[2].external_work or 0.0) - (slow[3].external_work or 0.0)) < 1e-12


def test_the_same_bits_for_any_number_of_threads() -> None:
    before = threads()
    ends = []
    try:
        for count in (1, 2, 2):
            system, state = block(side=12, spacing=0.02, obstacles=OBSTACLES)
            use_threads(count)
            ends.append(list(simulate(system, Mpm(transfer=FLIP()), state, 2e-3, 5))[-1])
    finally:
        use_threads(before)
    for end in ends[1:]:
        assert (end.state.x == ends[0].state.x).all()
        assert (end.state.v == ends[0].state.v).all()
        assert end.ledger == ends[0].ledger


def test_bodies_far_apart_and_far_away() -> None:
    """The grid has nodes at particles only, and steps do not depend on where a body is, but for rounding."""
    system, state = block(gravity=False)
    shift = np.array([1000.0, -2000.0, 3000.0])
    far = State(0.0, state.x + shift, state.v)
    method = Mpm(cell=0.125)  # a power of two: both bodies see the same nodes
    here, there = (list(simulate(system, method, start, 2e-3, 4))[-1].state.x for start in (state, far))
    assert np.abs(there - shift - here).max() < 1e-11


@pytest.mark.parametrize("transfer", TRANSFERRED, ids=lambda t: t.name)
def test_substeps_are_stable(transfer: Transfer) -> None:
    """Noise as a start: at the largest number that is allowed its energy does not grow."""
    system, state = block(gravity=False, speed=0.05, fall=0.0, side=8)
    method = Mpm(cell=0.1, transfer=transfer, courant=transfer.largest_courant)
    *_, end = simulate(system, method, state, 0.04, 40)
    assert end.ledger.energies.total < 1.05 * end.ledger.initial


def test_steps_beyond_the_limit_are_refused() -> None:
    with pytest.raises(SuppleError, match=r"mpm.courant: input should be less than or equal to 1, found 1.5"):
        Mpm(transfer=APIC(), courant=1.5)
    said = r"mpm.courant: found 1.0; with flip allowed are numbers above 0 up to 0.8, above which"
    with pytest.raises(SuppleError, match=said):
        Mpm(transfer=FLIP(), courant=1.0)
    system, state = block()
    for gradient in ("mls", "spline"):
        method = Mpm(most_substeps=3, gradient=gradient)  # type: ignore[arg-type]
        with pytest.raises(
            StepFailed, match=r"1 s need \d+ substeps of .*, and 3 are allowed in one step; take a smaller time.step"
        ):
            list(simulate(system, method, state, 1.0, 1))


def test_both_gradients_take_the_same_substeps() -> None:
    system, state = block(side=4, obstacles=OBSTACLES)
    ends = [list(simulate(system, Mpm(cell=0.1, gradient=g), state, 0.02, 3))[-1] for g in ("mls", "spline")]  # type: ignore[arg-type]
    for end in ends:
        grid = end.ledger.grid
        assert abs(end.ledger.residual - grid.transfer - grid.force - grid.collided) < 1e-12 * end.ledger.initial
    assert 1e-6 < np.abs(ends[0].state.x - ends[1].state.x).max() < 0.01


def test_particles_that_explode_end_the_run() -> None:
    system, state = block()
    with pytest.raises(SuppleError, match="not finite"):
        list(simulate(system, Mpm(cell=0.1), State(0.0, state.x, np.full_like(state.v, np.inf)), 1e-3, 1))


def test_several_clouds_meet_on_the_grid() -> None:
    """Two blocks that fly towards each other bounce, without any contact term, and keep their momentum."""
    from supple.dynamics.system import build_system
    from supple.points.cloud import Cloud

    one, start = block(STVK, gravity=False, speed=0.0, fall=0.0)
    x = np.concatenate([start.x, start.x + np.array([0.5, 0.0, 0.0])])
    v = np.zeros_like(x)
    v[: one.n, 0], v[one.n :, 0] = 1.0, -1.0
    mass, volume = np.tile(one.mass, 2), one.clouds[0].volume
    halves = [Cloud(np.arange(one.n) + k * one.n, volume, m) for k, m in enumerate((STVK, FLOWING[3]))]
    system = build_system(x, mass, [], clouds=halves)
    frames = list(simulate(system, Mpm(cell=0.1), State(0.0, x, v), 0.01, 40))
    end = frames[-1]
    assert np.abs(end.momenta()[0]).max() < 1e-12
    assert (mass[: one.n] @ end.state.v[: one.n, 0]) < 0.5 * mass[: one.n].sum()
