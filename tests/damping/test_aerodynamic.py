"""Air on triangles: forces on a plate, terminal speed, heat separated from work of the wind, and refusals."""

from functools import cache

import numpy as np
import pytest

from builders import Setup, hold, run
from supple.budget.energy_budget import EnergyBudget
from supple.constraints.motion import Motion
from supple.constraints.scripts import Translate
from supple.damping.aerodynamic import Aerodynamic
from supple.damping.damper import Damped
from supple.damping.drag import AirDrag
from supple.dynamics.state import State
from supple.dynamics.system import build_system
from supple.energies.gravity import Gravity
from supple.energies.instant import Instant
from supple.energies.springs.springs import StVKSprings
from supple.errors import SuppleError
from supple.integrators import INTEGRATORS
from supple.integrators.explicit.runge_kutta import RK4
from supple.integrators.implicit.avf import AVF
from supple.integrators.implicit.backward_euler import BackwardEuler
from supple.loop import Frame
from supple.mesh.measure import lumped_mass
from supple.mesh.mesh import Mesh
from supple.mesh.shapes.thin import Cloth
from supple.types import Array

RHO, W = 1.2, 10.0
SHEET = Cloth(cells=(3, 2), size=(0.6, 0.4), plane="xy").mesh()
GUSTS = Aerodynamic(
    drag=1.0,
    lift=0.8,
    skin=0.05,
    wind=lambda x, t: np.stack([4 + 0 * t + 0 * x[:, 0], x[:, 0], 3 * np.sin(9 * t) + 0 * x[:, 0]], axis=1),
)


def plate(angle: float) -> Mesh:
    """A square of 0.5 m^2 whose normal is turned by an angle from +x towards +y."""
    c, s = np.cos(angle), np.sin(angle)
    a, b = np.array([-s, c, 0.0]), np.array([0.0, 0.0, 0.5])
    return Mesh(np.array([0 * a, a, a + b, b]), triangles=np.array([[0, 1, 2], [0, 2, 3]], dtype=np.int32))


def force(mesh: Mesh, law: Aerodynamic, v: Array | float = 0.0) -> Array:
    """(n, 3) on a plate that moves with v."""
    (term,) = law.on(Damped(np.ones(mesh.n), (), mesh.triangles)).dissipation
    system = build_system(mesh.vertices, np.ones(mesh.n), [], dissipation=[term])
    return system.force(State(0.0, mesh.vertices, np.broadcast_to(v, (mesh.n, 3)).astype(float)))


def along_x(x: Array, t: float) -> Array:
    return np.tile([W, 0.0, 0.0], (len(x), 1))


@pytest.mark.parametrize("angle", [0.0, 0.4, np.pi / 4, 1.2, np.pi / 2, 2.5])
def test_forces_on_a_plate(angle: float) -> None:
    """Wind along +x: drag along it, lift across it to the lee side, skin friction in the plane."""
    c, s, q = np.cos(angle), np.sin(angle), 0.5 * RHO * 0.5 * W * W
    wanted = {
        "drag": q * np.array([abs(c), 0.0, 0.0]),
        "lift": q * np.array([0.0, c * s, 0.0]),  # a normal between +x and +y: the wind pushes it towards +y
        "skin": q * np.array([s * s, -c * s, 0.0]),
    }
    for name, whole in wanted.items():
        law = Aerodynamic(**{"drag": 0.0, name: 0.7}, wind=along_x)
        found = force(plate(angle), law)
        np.testing.assert_allclose(found.sum(axis=0), 0.7 * whole, atol=1e-12 * q)
        np.testing.assert_allclose(found[1], found[0] / 2, atol=1e-12 * q)  # one triangle, and two
        moving = force(plate(angle), Aerodynamic(**{"drag": 0.0, name: 0.7}), v=[-W, 0.0, 0.0])
        np.testing.assert_allclose(moving, found, atol=1e-12 * q)
        over = plate(angle)
        over = Mesh(over.vertices, triangles=over.triangles[:, ::-1])
        np.testing.assert_allclose(force(over, law), found, atol=1e-12 * q)


def test_drag_and_lift_make_pressure() -> None:
    """Lift and drag of one coefficient at 45 degrees: lift is the part across the stream of a force along the normal."""
    both = force(plate(np.pi / 4), Aerodynamic(lift=1.0, drag=1.0, wind=along_x)).sum(axis=0)
    pressure = 0.5 * RHO * 0.5 * W * W * np.cos(np.pi / 4)  # along the normal
    assert both[1] == pytest.approx(pressure * np.sin(np.pi / 4))
    assert pressure * np.cos(np.pi / 4) < both[0] < 1.5 * pressure


def cloth(law: Aerodynamic | AirDrag | None, held: bool = True, v: Array | None = None, script: object = None) -> Setup:
    """A sheet of springs under gravity, its left edge held or moved."""
    X, mass = SHEET.vertices, lumped_mass(SHEET, mass=0.1)
    elastic = StVKSprings(X, SHEET.edges, 400.0)
    air = law.on(Damped(mass, (elastic,), SHEET.triangles)).dissipation if law else ()
    motion = Motion((hold(SHEET.group("left"), X, script),)) if held else None
    terms = [elastic, Gravity(mass, np.array([0.0, -9.8, 0.0]))]
    return build_system(X, mass, terms, motion, air), State(0.0, X, np.zeros_like(X) if v is None else v)


@pytest.mark.parametrize("h", [0.05, 0.01])
def test_a_plate_falls_as_it_should(h: float) -> None:
    """v = vt tanh(g t/vt), vt^2 = 2 m g/(rho A C): to first order in the step."""
    flat = Mesh(SHEET.vertices[:, [0, 2, 1]], edges=SHEET.edges, triangles=SHEET.triangles)
    mass = lumped_mass(flat, mass=0.05)
    air = Aerodynamic(drag=1.3).on(Damped(mass, (), flat.triangles)).dissipation
    system = build_system(flat.vertices, mass, [Gravity(mass, np.array([0.0, -9.8, 0.0]))], dissipation=air)
    end = run((system, State(0.0, flat.vertices, np.zeros((flat.n, 3)))), AVF(), h, round(1.0 / h))[-1].state
    vt = np.sqrt(2 * 0.05 * 9.8 / (RHO * 0.24 * 1.3))
    speed = -(mass @ end.v[:, 1]) / 0.05
    assert speed == pytest.approx(vt * np.tanh(9.8 / vt), rel=0.3 * h)


@pytest.mark.parametrize("law", [GUSTS, AirDrag(3.0, GUSTS.wind), Aerodynamic(drag=0.1, lift=1.5, wind=GUSTS.wind)])
def test_the_ledger_closes_and_heat_is_never_given_back(law: Aerodynamic | AirDrag) -> None:
    setup = cloth(law)
    frames = run(setup, AVF(), 0.02, 25)
    scale = max(f.ledger.energies.scale for f in frames)
    assert max(abs(f.ledger.residual) for f in frames) <= 1e-11 * scale
    heat = np.diff([f.ledger.dissipated for f in frames])
    assert heat.min() > 0.0
    assert frames[-1].ledger.external_work > 0.5 * scale


def test_work_and_heat_of_a_sheet_that_stands_still() -> None:
    """All vertices held: the wind works on the sheet, all of it becomes heat, at the rate w . f."""
    X = SHEET.vertices
    law = Aerodynamic(drag=1.1, wind=lambda x, t: np.tile([0.0, 0.0, 3.0], (len(x), 1)))
    air = law.on(Damped(np.ones(len(X)), (), SHEET.triangles)).dissipation
    motion = Motion((hold(np.arange(1, len(X)), X),))
    system = build_system(X, np.full(len(X), 1e9), [], motion, air)
    end = run((system, State(0.0, X, np.zeros_like(X))), AVF(), 0.1, 10)[-1].ledger
    assert end.dissipated == pytest.approx(0.5 * RHO * 0.24 * 1.1 * 3.0**3, rel=1e-6)
    assert end.external_work == pytest.approx(end.dissipated, rel=1e-6)


def test_a_hand_that_moves_a_sheet_through_still_air_works_too() -> None:
    law = Aerodynamic(drag=1.0, skin=0.1)
    moving = cloth(law, v=np.tile([0.0, 0.0, 2.0], (SHEET.n, 1)), script=Translate((0.0, 0.0, 2.0)))
    frames = run(moving, AVF(), 0.02, 20)
    assert max(abs(f.ledger.residual) for f in frames) <= 1e-11 * max(f.ledger.energies.scale for f in frames)
    assert np.diff([f.ledger.dissipated for f in frames]).min() > 0.0
    assert frames[-1].ledger.external_work > 0.05


@pytest.mark.parametrize("name", ["bdf2", "verlet", "si", "yoshida"])
def test_every_kind_of_method_books_the_same(name: str) -> None:
    """Against a fine run: 0.1 s at 1/400 s."""
    end, wanted = run(cloth(GUSTS), INTEGRATORS.load()[name](), 1 / 400, 40)[-1].ledger, _fine().ledger
    assert end.external_work == pytest.approx(wanted.external_work, rel=0.03)
    assert end.dissipated == pytest.approx(wanted.dissipated, rel=0.03)


@cache
def _fine() -> Frame:
    return run(cloth(GUSTS), RK4(), 0.1 / 100, 100)[-1]


def test_it_is_of_first_order() -> None:
    errors = [np.abs(run(cloth(GUSTS), AVF(), 0.1 / n, n)[-1].state.x - _fine().state.x).max() for n in (40, 80)]
    assert np.divide(*errors) == pytest.approx(2.23, abs=0.05)  # 2.58, 2.40, 2.23, 2.08 from 10 steps on: towards 2


def test_a_budget_closes_in_the_wind() -> None:
    frames = run(cloth(GUSTS, held=False), EnergyBudget(BackwardEuler()), 0.02, 20)
    assert max(abs(f.ledger.residual) for f in frames) <= 1e-9 * max(f.ledger.energies.scale for f in frames)
    assert frames[-1].ledger.external_work > 0.0


def test_what_is_refused() -> None:
    with pytest.raises(SuppleError, match="which have no effect; give one of them above 0"):
        Aerodynamic(drag=0.0)
    with pytest.raises(SuppleError, match="acts on triangles, and there are none; use drag"):
        Aerodynamic().on(Damped(np.ones(2), ()))
    x = SHEET.vertices
    (air,) = Aerodynamic(wind=lambda x, t: x[:, :2]).on(Damped(np.ones(len(x)), (), SHEET.triangles)).dissipation
    with pytest.raises(SuppleError, match=r"aerodynamic\.wind: must give a finite velocity"):
        air.freeze(Instant(x, x, 0.0, 0.1, np.zeros_like(x)))
    with pytest.raises(SuppleError, match="depends on velocities"):
        air.freeze(Instant(x, x, 0.0, 0.1))
