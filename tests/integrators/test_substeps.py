"""Substeps of Verlet: a compiled loop for one solid body takes the very steps that the interpreter takes one by one."""

from typing import Any

import numpy as np
import pytest

from builders import Setup, run, stretched_bar
from supple.constraints.motion import Motion
from supple.damping.damper import Damped
from supple.damping.drag import Drag
from supple.damping.structure_preserving import StructurePreserving
from supple.dynamics.state import State
from supple.dynamics.system import build_system
from supple.energies.gravity import Gravity
from supple.energies.solids.solid import Solid
from supple.errors import SuppleError
from supple.integrators.explicit.flight import flight
from supple.integrators.explicit.symplectic import Verlet
from supple.materials.mooney_rivlin import ModifiedNeoHookean
from supple.mesh.measure import lumped_mass
from supple.mesh.shapes.solid import Bar
from supple.scene.text.load import load_scene


def bar(tau: float | None = None, **more: Any) -> Setup:
    """A small bar, stretched and spinning; `more`: what `build_system` takes."""
    mesh = Bar(cells=(4, 1, 1), size=(2.0, 0.5, 0.5)).mesh()
    X, mass = mesh.vertices, lumped_mass(mesh, density=1000.0)
    solid = Solid(X, mesh.tets, ModifiedNeoHookean(3e3, 1.5e4))
    impulses = () if tau is None else StructurePreserving(tau, "explicit").on(Damped(mass, (solid,))).impulses
    terms = [solid, Gravity(mass, np.array([0.0, -9.8, 0.0]))]
    x = X * [1.1, 0.98, 0.97]
    return build_system(X, mass, terms, impulses=impulses, **more), State(0.0, x, np.cross([0.3, 1.0, 2.0], x))


def held() -> Motion:
    from builders import hold

    mesh = Bar(cells=(4, 1, 1), size=(2.0, 0.5, 0.5)).mesh()
    return Motion((hold([0, 1], mesh.vertices * [1.1, 0.98, 0.97]),))


@pytest.mark.parametrize("tau", [None, 0.002])
@pytest.mark.parametrize("pinned", [False, True])
def test_the_loop_takes_the_same_steps(tau: float | None, pinned: bool) -> None:
    setup = bar(tau, **({"motion": held()} if pinned else {}))
    assert flight(setup[0]) is not None
    one, many = run(setup, Verlet(), 0.004, 60)[-1], run(setup, Verlet(substeps=20), 0.08, 3)[-1]
    np.testing.assert_allclose(many.state.x, one.state.x, rtol=0, atol=1e-14)
    np.testing.assert_allclose(many.state.v, one.state.v, rtol=0, atol=1e-12)
    scale = one.ledger.energies.scale
    assert many.ledger.dissipated == pytest.approx(one.ledger.dissipated, abs=1e-12 * scale)
    assert many.ledger.residual == pytest.approx(one.ledger.residual, abs=1e-11 * scale)
    assert (many.ledger.dissipated > 0.0) == (tau is not None)
    assert many.step == 3


def test_a_shipped_scene_takes_the_loop() -> None:
    assert flight(load_scene("flying-bar", []).make().assemble().system) is not None


def test_other_systems_take_their_substeps_one_by_one() -> None:
    system, start = bar(0.002)
    drag = build_system(
        start.x, system.mass, system.potential.terms, dissipation=[Drag(system.mass, 0.3)], impulses=system.impulses
    )
    assert flight(drag) is None
    one, many = (run((drag, start), m, h, n)[-1] for m, h, n in ((Verlet(), 0.004, 20), (Verlet(10), 0.04, 2)))
    np.testing.assert_array_equal(many.state.x, one.state.x)
    assert many.ledger.dissipated == pytest.approx(one.ledger.dissipated, rel=1e-12)


def test_damping_that_is_too_strong_is_refused_in_the_loop_too() -> None:
    frames = run(bar(0.5), Verlet(substeps=4), 0.1, 1)
    assert "the explicit form would drive the motion" in frames[1].note
    assert frames[1].h < 0.1


def test_a_step_has_at_least_one_substep() -> None:
    from supple.cli.analyse.methods import method

    with pytest.raises(SuppleError, match=r"verlet\.substeps: .* greater than or equal to 1"):
        method("verlet:substeps=0", "--integrators")


def test_a_stretched_bar_with_substeps_keeps_its_energy() -> None:
    frames = run(stretched_bar(), Verlet(substeps=10), 1 / 60, 30)
    E = [f.ledger.energies.total for f in frames]
    assert np.ptp(E) < 0.02 * abs(E[0])
