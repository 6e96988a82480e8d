"""Time reversal: symmetric methods bring a swinging bar back to its start, damped ones do not, and one-way scenes are refused."""

import math
from collections.abc import Callable

import numpy as np
import pytest

from builders import Setup, at_rest, hold, run
from supple.adaptive.naive import AdaptiveNaive
from supple.adaptive.reversible import AdaptiveReversible
from supple.adaptive.rules import ElasticRule, PosesRule
from supple.adaptive.symplectic import AdaptiveSymplectic
from supple.analysis import reversibility
from supple.analysis.convergence import placed
from supple.analysis.oscillator import oscillator
from supple.analysis.reversibility import Journey, Reversal, Trail, reversals
from supple.constraints.motion import Motion
from supple.constraints.scripts import Translate, Window
from supple.damping.drag import Drag
from supple.dynamics.state import State
from supple.dynamics.step import Integrator
from supple.dynamics.system import build_system
from supple.energies.corotational import mandel
from supple.energies.corotational.term import Corotational
from supple.energies.gravity import Gravity
from supple.energies.solids.solid import Solid
from supple.energies.term import EnergyTerm
from supple.errors import SuppleError
from supple.integrators.explicit.runge_kutta import ForwardEuler
from supple.integrators.explicit.symplectic import Verlet
from supple.integrators.implicit.avf import AVF
from supple.integrators.implicit.backward_euler import BackwardEuler
from supple.integrators.implicit.bdf2 import BDF2
from supple.integrators.implicit.midpoint import Midpoint
from supple.integrators.implicit.newmark import Newmark
from supple.integrators.implicit.quasi_static import QuasiStatic
from supple.integrators.linear.corotational import CorotationalReversible
from supple.materials.stvk import StVK
from supple.mesh.measure import lumped_mass
from supple.mesh.shapes.solid import Bar
from supple.solvers.options import SolverOptions

H = 1 / 60
MESH = Bar(cells=(6, 1, 1), size=(0.8, 0.2, 0.2)).mesh()
YOUNG, POISSON = 1e6, 0.3


def swinging_bar(elastic: EnergyTerm | None = None) -> Setup:
    """A clamped rubber bar let go under gravity."""
    X, mass = MESH.vertices, lumped_mass(MESH, density=500.0)
    elastic = elastic or Solid(X, MESH.tets, StVK.from_young(YOUNG, POISSON))
    terms = [elastic, Gravity(mass, np.array([0.0, -9.81, 0.0]))]
    return build_system(X, mass, terms, Motion((hold(MESH.group("left"), X),))), at_rest(X)


def there_and_back(
    setup: Setup, method: Integrator, steps: int, h: float = H, tolerance: float = 1e-12
) -> tuple[Reversal, Trail]:
    system, start = setup
    journey = Journey(system, placed(system, start), h, steps, SolverOptions(tolerance=tolerance, threads=1))
    return next(reversals(journey, {"method": method}))


def corotational() -> Setup:
    return swinging_bar(Corotational(MESH.vertices, MESH.tets, mandel.isotropic(YOUNG, POISSON)))


def test_the_bar_swings_gently() -> None:
    solid = Solid(MESH.vertices, MESH.tets, StVK.from_young(YOUNG, POISSON))
    stretches = [
        np.linalg.svd(solid.deformation_gradients(f.state.x), compute_uv=False) - 1
        for f in run(swinging_bar(), Midpoint(), H, 40)
    ]
    assert 0.03 < np.abs(stretches).max() < 0.1


@pytest.mark.parametrize(
    ("setup", "method"),
    [
        (swinging_bar, Midpoint()),
        (swinging_bar, AVF()),
        (swinging_bar, AdaptiveReversible(rule=PosesRule())),
        (corotational, CorotationalReversible()),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_symmetric_methods_come_back(setup: Callable[[], Setup], method: Integrator) -> None:
    found, trail = there_and_back(setup(), method, 60)
    assert not found.failure
    assert found.distance < 1e-11
    assert found.velocity < 1e-9
    assert abs(found.energy) < 1e-11
    assert found.mean_distance < found.distance
    assert found.time_back == pytest.approx(found.time_there, rel=1e-12)
    assert trail.from_start.max() > 0.08
    assert np.nanmax(trail.strayed) < 1e-11


def test_methods_that_damp_do_not() -> None:
    for method, steps, least in ((BackwardEuler(), 200, 0.04), (BDF2(), 50, 0.005)):
        found, trail = there_and_back(swinging_bar(), method, steps)
        assert found.distance > least
        assert found.energy < -0.01
        assert trail.strayed[-1] == trail.from_start[-1] == found.distance


def test_constants_of_a_run_stay() -> None:
    # both rules look at the energy of the start, and symplectic control at that of the first step
    for method in (AdaptiveReversible(rule=PosesRule(eps=0.3)), AdaptiveSymplectic(rule=PosesRule())):
        found, _ = there_and_back(swinging_bar(), method, 40)
        assert 0.2 < found.time_there < 0.95 * 40 * H
        assert found.time_back == pytest.approx(found.time_there, rel=1e-12)
        assert found.velocity < 1e-9


def test_naive_control_loses_its_way() -> None:
    found, _ = there_and_back(swinging_bar(), AdaptiveNaive(of=Midpoint(), rule=ElasticRule()), 40)
    assert found.distance > 1e-5
    assert abs(found.time_back - found.time_there) > 1e-4


def test_a_loose_solve_shows_unless_the_solve_itself_is_symmetric() -> None:
    # The equation of a midpoint step, and the place where its solve begins, are the same both ways: in the middle of the
    # step, x0 + h/2 v0 = x1 - h/2 v1. So is the result of any number of iterations.
    assert there_and_back(swinging_bar(), Midpoint(), 60, tolerance=1e-2)[0].distance < 1e-12
    loose, _ = there_and_back(swinging_bar(), Newmark(), 60, tolerance=1e-2)
    tight, _ = there_and_back(swinging_bar(), Newmark(), 60)
    assert loose.distance > 1e-6
    assert tight.distance < 1e-12


def test_verlet_on_a_circle_and_the_sizes() -> None:
    start = State(0.0, np.array([[1.0, 0.0, 0.0]]), np.array([[0.0, 3.0, 0.0]]))
    found, trail = there_and_back((oscillator(3.0), start), Verlet(), 50, h=0.02)
    assert found.distance < 1e-14
    # a particle has no size: 1 s is 3 rad on a circle of 1 m, at most 2 m away
    assert trail.from_start.max() == pytest.approx(1.0, rel=1e-12)
    wide, _ = there_and_back((oscillator(3.0), start), ForwardEuler(), 50, h=0.02)
    # energy grows by 1 + 0.06^2 per step; the gain is relative to the energy at the turn
    growth = (1 + 0.06**2) ** 50
    assert wide.energy == pytest.approx((growth**2 - 1) / growth, rel=1e-10)
    assert wide.velocity > 0.1


def test_long_ways_keep_few_places(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reversibility, "KEPT", 10)
    start = State(0.0, np.array([[1.0, 0.0, 0.0]]), np.zeros((1, 3)))
    _, trail = there_and_back((oscillator(1.0), start), Verlet(), 29, h=0.01)
    there = [*range(0, 29, 3), 29]
    np.testing.assert_array_equal(trail.step, [*there, *(58 - k for k in there[-2::-1])])
    np.testing.assert_array_equal(np.isnan(trail.strayed), trail.step <= 29)
    np.testing.assert_allclose(trail.time, 0.01 * trail.step, rtol=1e-12)
    np.testing.assert_allclose(trail.from_start, trail.from_start[::-1], atol=1e-13)


def test_failures_are_results() -> None:
    system, start = swinging_bar()
    journey = Journey(system, placed(system, start), H, 20, SolverOptions())
    methods = {
        "quasi-static": QuasiStatic(),
        "verlet": Verlet(),
        "corotational": CorotationalReversible(),
        "avf": AVF(),
    }
    found = {one.integrator: one for one, _ in reversals(journey, methods)}
    assert "quasi-static has no time scale" in found["quasi-static"].failure
    assert "not finite" in found["verlet"].failure
    assert math.isnan(found["verlet"].distance)
    assert "is for corotational bodies" in found["corotational"].failure
    assert found["avf"].distance < 1e-12


def test_one_way_systems_are_refused() -> None:
    X, mass = MESH.vertices, lumped_mass(MESH, density=500.0)
    solid = Solid(X, MESH.tets, StVK.from_young(YOUNG, POISSON))
    pulled = Motion((hold(MESH.group("left"), X, Translate((0.1, 0.0, 0.0), Window())),))
    for system, words in (
        (build_system(X, mass, [solid], pulled), "vertices that follow a moving script;"),
        (build_system(X, mass, [solid], dissipation=[Drag(mass, 1.0)]), "damping, friction or wind;"),
    ):
        with pytest.raises(SuppleError, match=f"the motion is not reversible: the scene has {words}"):
            Journey(system, at_rest(X), H, 1, SolverOptions())
    clamped = build_system(X, mass, [solid], Motion((hold(np.arange(MESH.n), X),)))
    with pytest.raises(SuppleError, match="every vertex is prescribed"):
        Journey(clamped, at_rest(X), H, 1, SolverOptions())
