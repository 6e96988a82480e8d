"""Constants of elements, masses and rest positions: bars of a run against differences of runs of changed bodies."""

from dataclasses import replace

import numpy as np
import pytest
from differentiated import TIGHT, assembled, bar, covector, difference, loss_of, value, world

import supple as sp
from supple.dynamics.system import build_system
from supple.energies.gravity import Gravity
from supple.integrators.method import Method
from supple.materials import MATERIALS
from supple.model.model import Model
from supple.sensitivity.naming import constants_of, with_constants
from supple.sensitivity.record import record
from supple.sensitivity.sweeps import Bars, pull
from supple.types import Array

H, STEPS = 1 / 60, 5
ROUGH = {"stvk-kikuuwe": 1e-4, "holzapfel-gasser-ogden": 1e-4}
"""Laws with kinks, where differences of whole runs are that far off."""


def bars_of(model: Model, method: Method, weights: tuple[Array, Array]) -> Bars:
    found = record(model, method, h=H, steps=STEPS, solver=TIGHT)
    return pull(found, loss_of(found, weights))


def with_terms(model: Model, terms: list[sp.EnergyTerm], mass: Array | None = None) -> Model:
    """The same model with other energies."""
    old = model.system
    system = build_system(
        model.mesh.vertices,
        old.mass if mass is None else mass,
        terms,
        old.motion,
        old.dissipation.terms,
        solver=old.solver,
    )
    return replace(model, system=system)


@pytest.mark.parametrize("name", sorted(MATERIALS.load()))
def test_constants_of_elements_of_every_material(name: str) -> None:
    model = assembled(world(bar(MATERIALS[name].from_young(5e4, 0.3), cells=(3, 1, 1))))
    weights = covector(model)
    solid = model.system.potential.terms[0]
    found = bars_of(model, sp.AVF() if name not in ROUGH else sp.BackwardEuler(), weights)
    method = sp.AVF() if name not in ROUGH else sp.BackwardEuler()
    rng = np.random.default_rng(5)
    checked = 0
    for constant, values in solid.constants().items():
        bar_of = found.constants[f"bar.{constant}"]
        direction = values * rng.uniform(0.5, 1.5, values.shape)
        along = float(np.sum(bar_of * direction))
        size = max(abs(along), 1e-3 * abs(found.value))

        def moved(e: float, constant: str = constant, values: Array = values, direction: Array = direction) -> float:
            terms = [solid.with_constant(constant, values + e * direction), *model.system.potential.terms[1:]]
            return value(with_terms(model, terms), method, H, STEPS, weights)

        if not np.abs(direction).max() > 0.0:
            continue
        assert abs(difference(moved, 1e-4) - along) <= ROUGH.get(name, 1e-6) * size, constant
        checked += abs(along) > 1e-9
    assert checked


def test_constants_of_elements_in_energy_momentum_steps() -> None:
    model = assembled(world(bar(sp.NeoHookean.from_young(5e4, 0.3), cells=(3, 1, 1))))
    weights = covector(model)
    solid, gravity = model.system.potential.terms
    found = bars_of(model, sp.SimoTarnow(), weights)
    assert any("rest positions" in note for note in found.inexact)
    for constant, values in solid.constants().items():
        direction = values * np.random.default_rng(5).uniform(0.5, 1.5, values.shape)

        def moved(e: float, constant: str = constant, values: Array = values, direction: Array = direction) -> float:
            other = with_terms(model, [solid.with_constant(constant, values + e * direction), gravity])
            return value(other, sp.SimoTarnow(), H, STEPS, weights)

        assert difference(moved, 1e-4) == pytest.approx(
            float(np.sum(found.constants[f"bar.{constant}"] * direction)), rel=1e-5
        )


@pytest.mark.parametrize("damping", [sp.Rayleigh(stiffness=0.01), sp.StructurePreserving(tau=0.01, form="integrable")])
def test_constants_of_a_body_count_in_damping_that_is_made_of_it(damping: sp.Damping) -> None:
    model = assembled(world(bar(cells=(3, 1, 1)), damping=(damping,), gravity=(0.0, -2.0, 0.0)))
    weights = covector(model)
    found = bars_of(model, sp.AVF(), weights)
    values = constants_of(model)["bar.mu"]
    direction = values * np.random.default_rng(5).uniform(0.5, 1.5, values.shape)

    def moved(e: float) -> float:
        return value(with_constants(model, {"bar.mu": values + e * direction}), sp.AVF(), H, STEPS, weights)

    bound = 1e-3 if damping.name == "rayleigh" else 1e-6  # clamped matrices have kinks
    assert difference(moved, 1e-4) == pytest.approx(float(np.sum(found.constants["bar.mu"] * direction)), rel=bound)


def test_masses_and_rest_positions() -> None:
    model = assembled(world(damping=(sp.AirDrag(rate=0.5),)))
    weights = covector(model)
    found = bars_of(model, sp.AVF(), weights)
    old, rng = model.system, np.random.default_rng(6)
    solid, gravity = old.potential.terms
    dm, dX = old.mass * rng.uniform(-1.0, 1.0, old.n), 0.01 * rng.standard_normal(model.state.x.shape)

    def heavier(e: float) -> float:
        mass = old.mass + e * dm
        changed = assembled(world(damping=(sp.AirDrag(rate=0.5),)))
        drag = type(old.dissipation.terms[0])(mass, 0.5)
        system = build_system(
            model.mesh.vertices, mass, [solid, Gravity(mass, np.array([0.0, -9.81, 0.0]))], old.motion, [drag],
            solver=old.solver,
        )  # fmt: skip
        return value(replace(changed, system=system), sp.AVF(), H, STEPS, weights)

    assert difference(heavier, 1e-4) == pytest.approx(float(found.mass @ dm), rel=1e-6)

    def reshaped(e: float) -> float:
        other = type(solid)(model.mesh.vertices + e * dX, solid.elements, solid.material)
        return value(with_terms(model, [other, gravity]), sp.AVF(), H, STEPS, weights)

    assert difference(reshaped, 1e-4) == pytest.approx(float(np.vdot(found.rest, dX)), rel=1e-6)


def test_energy_of_the_start_pays_for_constants() -> None:
    """thetab + dH/dtheta at the end = dH/dtheta at the start, for a conserving method."""
    from supple.sensitivity.sweeps import Share

    model = assembled(world(bar(initial=sp.Initial(stretch=(1.2, 0.9, 1.0)))))
    system, solid = model.system, model.system.potential.terms[0]
    found = record(model, sp.AVF(), h=1 / 30, steps=30, solver=TIGHT)

    def loss(index: int, state: sp.State) -> Share | None:
        if index != 30:
            return None
        gradients = system.on_free(system.potential.gradient(state.x)), system.on_free(system.mass[:, None] * state.v)
        return Share(model.energies(state).total, *gradients)

    bars = pull(found, loss)
    for constant, values in solid.constants().items():
        unit = solid.with_constant(constant, np.ones_like(values))
        none = solid.with_constant(constant, np.zeros_like(values))
        first, last = (unit.element_values(s.x) - none.element_values(s.x) for s in (found.states[0], found.last))
        assert bars.constants[f"bar.{constant}"] + last == pytest.approx(first, rel=1e-8, abs=1e-10 * abs(first).max())
