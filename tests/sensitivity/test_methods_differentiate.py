"""Every method that rehearses: adjoint against tangent, tangent against differences; every other one reports the reason."""

import numpy as np
import pytest
from differentiated import assembled, bar, covector, difference, loss_of, pushed, value, world

import supple as sp
from supple.adaptive import RULES
from supple.adaptive.error_control import ErrorControl
from supple.adaptive.naive import AdaptiveNaive
from supple.adaptive.reversible import AdaptiveReversible
from supple.adaptive.symplectic import AdaptiveExplicit, AdaptiveSymplectic
from supple.dynamics.state import State
from supple.errors import SuppleError
from supple.integrators import INTEGRATORS
from supple.integrators.method import Method
from supple.sensitivity.record import record
from supple.sensitivity.sweeps import Direction, pull

STEPS = 8
METHODS: dict[str, Method] = {
    "avf": sp.AVF(),
    "avf simpson": sp.AVF(rule="simpson"),
    "avf gauss-3": sp.AVF(rule="gauss-3"),
    "variational symmetric": sp.Variational(rule="symmetric", alpha=0.25),
    "variational trapezoidal": sp.Variational(rule="trapezoidal"),
    "variational reinject": sp.Variational(reinject=True),
    "verlet substeps": sp.Verlet(substeps=3),
    "yoshida midpoint": sp.Yoshida(of=sp.Midpoint()),
    "bdf2 euler": sp.BDF2(first="backward-euler"),
} | {
    name: INTEGRATORS.load()[name]()
    for name in (
        "backward-euler", "midpoint", "bdf2", "tr-bdf2", "bathe", "sdirk", "sdirk3", "sdirk4", "newmark",
        "generalized-alpha", "trapezoid", "variational", "symplectic-euler", "verlet", "forward-euler", "explicit-midpoint",
        "rk4", "yoshida", "simo-tarnow",
    )
}  # fmt: skip


def step_of(method: Method) -> float:
    return 1 / 60 if method.facts.solves else 1 / 2000


@pytest.mark.parametrize("name", METHODS)
def test_adjoint_tangent_and_differences_agree(name: str) -> None:
    method = METHODS[name]
    h, model = step_of(method), assembled(world())
    weights = covector(model)
    rng = np.random.default_rng(3)
    dx, dv = 0.1 * rng.standard_normal(model.state.x.shape), rng.standard_normal(model.state.x.shape)
    found = record(model, method, h=h, steps=STEPS)
    bars = pull(found, loss_of(found, weights), fields=False)
    along = pushed(found, weights, Direction(dx, dv))
    back = float(np.vdot(bars.start.x, dx) + np.vdot(bars.start.v, dv))
    assert abs(along) > 1e-3
    assert back == pytest.approx(along, rel=1e-11)

    def moved(e: float) -> float:
        start = State(0.0, model.state.x + e * dx, model.state.v + e * dv)
        return value(model, method, h, STEPS, weights, start)

    assert difference(moved, 1e-5) == pytest.approx(along, rel=1e-6)


def test_materials_that_are_no_polynomials_take_as_many_points_as_the_step_took() -> None:
    model = assembled(world(bar(sp.NeoHookean.from_young(5e4, 0.3))))
    weights = covector(model)
    found = record(model, sp.AVF(), h=1 / 30, steps=6)
    bars = pull(found, loss_of(found, weights), fields=False)
    dv = np.random.default_rng(3).standard_normal(model.state.x.shape)
    along = pushed(found, weights, Direction(v=dv))
    assert float(np.vdot(bars.start.v, dv)) == pytest.approx(along, rel=1e-11)
    got = difference(
        lambda e: value(model, sp.AVF(), 1 / 30, 6, weights, State(0.0, model.state.x, model.state.v + e * dv)), 1e-5
    )
    assert got == pytest.approx(along, rel=1e-6)


OTHERS: dict[str, Method] = {
    name: cls()
    for name, cls in INTEGRATORS.load().items()
    if name not in METHODS and name not in {"mpm", "quasi-static"}
} | {
    "adaptive-naive": AdaptiveNaive(rule=RULES.load()["elastic"]()),
    "adaptive-reversible": AdaptiveReversible(rule=RULES.load()["elastic"]()),
    "adaptive-symplectic": AdaptiveSymplectic(rule=RULES.load()["elastic"]()),
    "adaptive-explicit": AdaptiveExplicit(rule=RULES.load()["elastic"]()),
    "budget": sp.EnergyBudget(sp.BDF2()),
    "error control": ErrorControl(of=sp.AVF()),
}


@pytest.mark.parametrize("name", OTHERS)
def test_all_other_methods_are_refused_with_the_reason(name: str) -> None:
    springs = name in {"conserving-springs", "xpbd", "pbd", "corotational-reversible"}
    body = sp.Body(sp.Rope(segments=4), sp.HookeSpring(1000.0), name="rope", mass=1.0) if springs else bar()
    model = assembled(world(body))
    with pytest.raises(SuppleError, match=r"no derivatives of (this run|its steps|its start)"):
        record(model, OTHERS[name], h=1 / 60 if OTHERS[name].facts.solves else 1 / 2000, steps=2)


def test_halved_steps_are_differentiated_as_they_were_taken() -> None:
    body = bar(sp.NeoHookean.from_young(2e4, 0.45), initial=sp.Initial(stretch=(2.2, 0.4, 0.4)), pin=None)
    model = assembled(world(body, gravity=(0.0, 0.0, 0.0)))
    method, h = sp.AVF(max_points=5), 1 / 30
    weights = covector(model)
    found = record(model, method, h=h, steps=3, solver=None)
    assert any("taken in steps of" in note for note in found.notes)
    dv = np.random.default_rng(3).standard_normal(model.state.x.shape)
    bars = pull(found, loss_of(found, weights), fields=False)
    along = pushed(found, weights, Direction(v=dv))
    assert float(np.vdot(bars.start.v, dv)) == pytest.approx(along, rel=1e-10)
