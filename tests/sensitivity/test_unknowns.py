"""Numbers of a world: both sweeps against central differences of whole runs, which fall as the square of their step."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from differentiated import TIGHT, assembled, bar, covector, loss_of, pushed, twin_of, value, world

import supple as sp
from supple.integrators.method import Method
from supple.sensitivity.record import record
from supple.sensitivity.sweeps import Direction, pull
from supple.types import Array

YOUNG = 5e4


def solid(young: float = YOUNG, poisson: float = 0.3, **options: object) -> sp.Body:
    return bar(sp.StVK.from_young(young, poisson), **options)


def shaken(amplitude: float) -> sp.Body:
    frames = tuple(
        sp.Keyframe(t, (0.0, 0.0, amplitude * s)) for t, s in ((0.0, 0.0), (0.05, 1.0), (0.1, -1.0), (0.2, 0.0))
    )
    return solid(pin=None, motion=(sp.Motion(group="left", keyframes=frames, interpolation="smooth"),))


def damped(*damping: object) -> sp.World:
    return world(damping=damping)


def cloth(young: float = 3e4, bending: float = 1e-3, thickness: float = 1e-3, model: str = "dihedral") -> sp.World:
    sheet = sp.Body(
        sp.Cloth(cells=(3, 3), size=(0.3, 0.3)), sp.StVKMembrane(young), name="sheet", thickness=thickness, density=500.0,
        bending=sp.Bending(model=model, rigidity=bending), pin="edge", groups={"edge": [0, 1, 2, 3]},
    )  # fmt: skip
    return sp.World([sheet], gravity=(0.0, -9.81, 0.0))


NUMBERS: dict[str, tuple[Callable[[float], sp.World], float]] = {
    "young": (lambda p: world(solid(young=p)), YOUNG),
    "poisson": (lambda p: world(solid(poisson=p)), 0.3),
    "density": (lambda p: world(solid(density=p)), 1000.0),
    "gravity": (lambda p: world(gravity=(0.0, -p, 0.0)), 9.81),
    "script": (lambda p: world(shaken(p)), 0.05),
    "length": (lambda p: world(replace(solid(), mesh=sp.Bar(cells=(4, 1, 1), size=(p, 0.1, 0.1)))), 0.8),
    "turned start": (
        lambda p: world(solid(pin=None, initial=sp.Initial(spin=(0.0, 0.3, p)))),
        2.0,
    ),
    "drag": (lambda p: damped(sp.AirDrag(rate=p)), 0.5),
    "viscosity": (lambda p: damped(sp.Viscosity(shear=p)), 50.0),
    "bulk viscosity": (lambda p: damped(sp.Viscosity(shear=20.0, bulk=p)), 50.0),
    "rayleigh": (lambda p: damped(sp.Rayleigh(stiffness=p)), 0.01),
    "young under viscosity": (lambda p: world(solid(young=p), damping=(sp.Viscosity(shear=50.0),)), YOUNG),
    "increments": (lambda p: damped(sp.StructurePreserving(tau=p, form="integrable")), 0.01),
}
METHODS: dict[str, Method] = {
    "avf": sp.AVF(),
    "backward-euler": sp.BackwardEuler(),
    "midpoint": sp.Midpoint(),
    "bdf2": sp.BDF2(),
    "newmark": sp.Newmark(),
    "variational": sp.Variational(),
    "simo-tarnow": sp.SimoTarnow(),
}


KINKED = {"rayleigh"}
"""Numbers of damping whose matrices are clamped, which has kinks: both sweeps and differences are near each other only."""


def agrees(make: Callable[[float], sp.World], at: float, method: Method, h: float, steps: int, bound: float) -> None:
    """Reverse against tangent sweep, and both against differences that fall as the square of their step, or to `bound` of the
    derivative. Where the loss hardly depends on a number, errors are held against a thousandth of the loss instead."""
    model, twin = twin_of(make, at)
    weights = covector(model)
    found = record(model, method, h=h, steps=steps, solver=TIGHT)
    bars = pull(found, loss_of(found, weights), [twin], fields=False)
    back, along = bars.keys["number"], pushed(found, weights, Direction(twin=twin))
    size = max(abs(back), 1e-3 * abs(bars.value / at))
    assert abs(back) > 1e-6 * abs(bars.value / at)
    assert abs(back - along) <= max(1e-10, 0.01 * bound) * size

    def error(relative: float) -> float:
        e = relative * abs(at)
        lower, upper = (value(assembled(make(at + s * e)), method, h, steps, weights) for s in (-1.0, 1.0))
        return abs((upper - lower) / (2 * e) - back) / size

    fine = error(1e-4)
    assert fine <= bound or fine <= 0.02 * error(1e-3)


def pairs() -> list[object]:
    """Every number under AVF and one more method, and every method with one number of each kind: the others take long."""
    found = []
    for k, number in enumerate(NUMBERS):
        for m, method in enumerate(METHODS):
            quick = method == "avf" or number in {"young", "viscosity"} or m == 1 + k % (len(METHODS) - 1)
            found.append(pytest.param(number, method, marks=[] if quick else [pytest.mark.study]))
    return found


@pytest.mark.parametrize(("number", "method"), pairs())
def test_numbers_by_both_sweeps_and_by_differences(number: str, method: str) -> None:
    make, at = NUMBERS[number]
    agrees(make, at, METHODS[method], 1 / 60, 4, 1e-2 if number in KINKED else 1e-7)


def rope(stiffness: float = 2000.0, mass: float = 0.2, law: type[sp.Structure] = sp.StVKSpring) -> sp.World:
    body = sp.Body(sp.Rope(segments=6, length=0.6), law(stiffness), name="rope", mass=mass, pin="start")
    return sp.World([body], gravity=(0.0, -9.81, 0.0))


def breeze(x: Array, t: float) -> Array:
    return np.broadcast_to([3.0, 1.0, 0.5], x.shape)


def balloon(pressure: float) -> sp.World:
    skin = sp.Body(
        sp.Sphere(radius=0.1, subdivisions=1), sp.NeoHookeanMembrane(2e5), name="skin", thickness=1e-3, density=1000.0,
        pressure=sp.Pressure(pressure, law="constant"), initial=sp.Initial(velocity=(0.0, "2*Z", 0.3)),
    )  # fmt: skip
    return sp.World([skin])


SHEETS: dict[str, tuple[Callable[[float], sp.World], float]] = {
    "young of a membrane": (lambda p: cloth(young=p), 3e4),
    "bending": (lambda p: cloth(bending=p), 1e-3),
    "quadratic bending": (lambda p: cloth(bending=p, model="quadratic"), 1e-3),
    "thickness": (lambda p: cloth(thickness=p), 1e-3),
    "springs": (lambda p: rope(stiffness=p), 2000.0),
    "hooke springs": (lambda p: rope(stiffness=p, law=sp.HookeSpring), 500.0),
    "mass of a rope": (lambda p: rope(mass=p), 0.2),
    "pressure": (balloon, 500.0),
    "density of air": (lambda p: replace(cloth(), damping=(sp.Aerodynamic(density=p, wind=breeze),)), 1.2),
    "dashpots": (lambda p: replace(rope(), damping=(sp.Dashpot(c=p),)), 0.5),
}


@pytest.mark.parametrize("number", SHEETS)
def test_numbers_of_sheets_ropes_and_skins(number: str) -> None:
    make, at = SHEETS[number]
    agrees(make, at, sp.AVF(), 1 / 60, 4, 1e-7)


def test_direction_of_start_and_number_add_up() -> None:
    model, twin = twin_of(*NUMBERS["young"])
    weights, dv = covector(model), np.random.default_rng(2).standard_normal(model.state.x.shape)
    found = record(model, sp.AVF(), h=1 / 60, steps=5)
    both = pushed(found, weights, Direction(v=dv, twin=twin))
    apart = pushed(found, weights, Direction(v=dv)) + pushed(found, weights, Direction(twin=twin))
    assert both == pytest.approx(apart, rel=1e-9)
