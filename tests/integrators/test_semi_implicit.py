"""Semi-implicit methods: the reduced solves agree with the formulas in phase space, with the orders of the fixed beam."""

from functools import cache
from typing import Any

import numpy as np
import pytest
from beam import beam_errors
from phase_space import Phase

from builders import SOFT, at_rest, four_nodes, held_beam, hold, run, stretched_bar
from supple.constraints.motion import Motion
from supple.constraints.scripts import Rotate
from supple.dynamics.state import State
from supple.dynamics.system import build_system
from supple.energies.solids.solid import Solid
from supple.integrators import INTEGRATORS
from supple.mesh.measure import lumped_mass
from supple.mesh.shapes.solid import Bar

METHODS = INTEGRATORS.load()
SEMI = ["si", "sbdf2", "str-sbdf2", "s-sdirk"]
H = 1 / 60
STIRRED = 0.05
"""Duration of the scripted motion [s]."""


def printed(name: str, phase: Phase, u0: np.ndarray, h: float, steps: int) -> np.ndarray:
    """The formulas with full matrices of phase space."""
    one = np.eye(len(u0))
    F, J = phase.F, phase.J
    g = 2 - np.sqrt(2)
    beta = g * (1 + np.sqrt(2)) / 4
    before = None
    for _ in range(steps):
        if name == "si":
            u1 = u0 + np.linalg.solve(one - h * J(u0), h * F(u0))
        elif name == "s-sdirk":
            ug = u0 + np.linalg.solve(one - g * h / 2 * J(u0), g * h * F(u0))
            rest = (2 * beta / g - 1) * (ug - u0) + g * h / 2 * F(ug)
            u1 = ug + np.linalg.solve(one - g * h / 2 * J(u0), rest)
        elif name == "sbdf2" and before is not None:
            u1 = u0 + np.linalg.solve(one - 2 * h / 3 * J(u0), u0 - before + 2 * h * F(u0)) / 3
        else:
            uh = u0 + np.linalg.solve(one - h / 4 * J(u0), h / 2 * F(u0))
            u1 = uh + np.linalg.solve(one - h / 3 * J(uh), uh - u0 + h * F(uh)) / 3
        u0, before = u1, u0
    return u0


@pytest.mark.parametrize("damping", [0.0, 5.0])
@pytest.mark.parametrize("name", SEMI)
def test_the_reduced_solves_are_the_formulas_of_phase_space(name: str, damping: float) -> None:
    system, start = held_beam(damping=damping)
    phase = Phase(system, start.x)
    end = run((system, start), METHODS[name](), H, 10)[-1].state
    wanted = phase.state(printed(name, phase, phase.vector(start), H, 10))
    assert np.abs(end.x - start.x).max() > 1e-2
    np.testing.assert_allclose(end.x, wanted.x, rtol=0, atol=1e-12)
    np.testing.assert_allclose(end.v, wanted.v, rtol=0, atol=1e-11)


# -- orders on the beam of numerics C5: error of positions after 128 steps, rates of positions and velocities -------------

BEAM_ORDERS = {
    "si": (1.4e-3, 0.99, 0.88),
    "sbdf2": (2.1e-5, 1.95, 1.91),
    "str-sbdf2": (2.6e-6, 2.00, 1.99),
    "s-sdirk": (2.5e-6, 2.00, 1.99),
}


@pytest.mark.parametrize("name", BEAM_ORDERS)
def test_orders_on_the_beam(name: str) -> None:
    error, *rates = BEAM_ORDERS[name]
    coarse, fine = (beam_errors(METHODS[name](), n) for n in (64, 128))
    assert fine[0] == pytest.approx(error, rel=0.05)
    np.testing.assert_allclose(np.log2(coarse / fine), rates, rtol=0, atol=0.02)


def test_one_factorisation_serves_both_stages_of_s_sdirk() -> None:
    for name, factorisations in {"si": 1, "sbdf2": 1, "str-sbdf2": 2, "s-sdirk": 1}.items():
        frames = run(held_beam(), METHODS[name](), H, 4)
        assert [frame.solve.factorisations for frame in frames[2:]] == [factorisations] * 3


# -- scripted vertices, changed steps, indefinite stiffness ----------------------------------------------------------------


def stirred() -> Any:
    """A soft bar with one end turned by a script."""
    mesh = Bar(cells=(3, 1, 1), size=(1.5, 0.5, 0.5)).mesh()
    X = mesh.vertices
    turn = hold(mesh.group("left"), X, Rotate((1.0, 0.0, 0.0), (0.0, 0.25, 0.25), 3.0))
    return build_system(X, lumped_mass(mesh, mass=1.0), [Solid(X, mesh.tets, SOFT)], Motion((turn,))), at_rest(X)


@cache
def stirred_end() -> State:
    system, start = stirred()
    return run((system, start), METHODS["rk4"](), STIRRED / 200, 200)[-1].state


@pytest.mark.parametrize("name", [*SEMI, "ere", "siere", "sbdf2-ere", "bdf2-ere", "str-sbdf2-ere", "tr-bdf2-ere"])
def test_scripted_vertices_do_not_cost_the_order(name: str) -> None:
    system, start = stirred()
    start = State(0.0, start.x, system.motion.drive(start.v, 0.0))
    options = {"modes": 4} if hasattr(METHODS[name](), "modes") else {}
    fine = stirred_end()
    errors = []
    for steps in (10, 20):
        end = run((system, start), METHODS[name](**options), STIRRED / steps, steps, tolerance=1e-12)[-1].state
        errors.append([np.abs(end.x - fine.x).max(), np.abs(end.v - fine.v).max()])
    order = METHODS[name]().facts.order
    assert (np.log2(np.divide(*errors)) >= order - 0.3).all()


def test_sbdf2_keeps_its_order_when_the_step_changes() -> None:
    from supple.solvers.tools import StepTools

    setup = four_nodes()
    fine = run(setup, METHODS["rk4"](), 0.5 / 400, 400)[-1].state
    for name in ("sbdf2", "sbdf2-ere", "bdf2-ere"):
        method = METHODS[name](**({"modes": 5} if name != "sbdf2" else {}))
        errors = []
        for pairs in (40, 80):
            tools, (state, memory) = StepTools(setup[0]), (setup[1], {})
            for _ in range(pairs):
                for h in (0.5 / pairs * 2 / 3, 0.5 / pairs / 3):
                    state, memory, _ = method.step(setup[0], state, memory, h, tools)
            errors.append(np.abs(state.x - fine.x).max())
        assert np.log2(errors[0] / errors[1]) == pytest.approx(2, abs=0.2)


def test_a_compressed_body_is_projected_rather_than_given_up() -> None:
    system, start = stretched_bar(stretch=(0.6, 0.7, 0.7))
    frames = run((system, start), METHODS["si"](), 1 / 30, 5)
    assert frames[1].solve.factorisations == 2  # the matrix as it is, then projected
    assert np.isfinite(frames[-1].state.x).all()
