"""A session: changes between steps, and a ledger that closes through them."""

from dataclasses import replace

import numpy as np
import pytest
from small_bar import bar

from supple.errors import StepFailed, SuppleError
from supple.scene.text.load import load_scene
from supple.viewer.session import Session
from supple.viewer.settings import integrator_choices, material_choices, settings_of


def far_vertex(session: Session) -> int:
    return int(np.argmax(session.state.x[:, 0]))


def advance(session: Session, steps: int) -> list[float]:
    """Residuals on the way, over the energy in play."""
    residuals = []
    for _ in range(steps):
        session.step()
        residuals.append(session.ledger.residual / session.ledger.energies.scale)
    return residuals


def test_it_is_the_scene_as_it_stands() -> None:
    from supple.loop import simulate

    scene = bar()
    body = scene.make().assemble()
    *_, last = simulate(body.system, scene.integrator.make(), body.state, scene.time.step, 10)
    session = Session(scene)
    advance(session, 10)
    assert session.steps == 10
    np.testing.assert_allclose(session.state.x, last.state.x, atol=1e-12)


@pytest.mark.parametrize("damping", [0.0, 0.5])
def test_dragging_is_booked_as_work(damping: float) -> None:
    session = Session(bar(), replace(settings_of(bar().make()), damping=damping))
    residuals = advance(session, 5)
    vertex = far_vertex(session)
    start = session.state.x[vertex].copy()
    for k in range(40):
        session.hold(vertex, start + np.array([0.0, 0.01 * k, 0.005 * k]))
        residuals += advance(session, 1)
    assert session.state.x[vertex, 1] > start[1] + 0.1
    worked = session.ledger.external_work
    assert worked > 1.0
    session.release()
    assert session.ledger.energies.other == 0.0
    residuals += advance(session, 20)
    assert np.abs(residuals).max() < 1e-11


def test_another_vertex_lets_the_first_one_go() -> None:
    session = Session(bar())
    session.hold(3, session.state.x[3] + 0.1)
    session.hold(10, session.state.x[10])
    assert session.ledger.energies.other == 0.0
    assert abs(session.ledger.external_work) < 1e-12


def test_the_method_may_change_and_the_ledger_goes_on() -> None:
    session = Session(bar())
    advance(session, 5)
    x, v, ledger = session.state.x.copy(), session.state.v.copy(), session.ledger
    assert not session.change(replace(session.settings, integrator="backward-euler", step=1 / 30, damping=0.2))
    assert np.array_equal(session.state.x, x)
    assert np.array_equal(session.state.v, v)
    assert session.ledger.initial == ledger.initial
    residuals = advance(session, 20)
    assert residuals[-1] < -1e-3


@pytest.mark.parametrize("change", [{"material": "neo-hookean"}, {"stiffness": 3.0}, {"gravity": 1.0}])
def test_another_energy_starts_the_ledger_anew(change: dict[str, object]) -> None:
    session = Session(bar())
    advance(session, 10)
    x, before = session.state.x.copy(), session.ledger.energies
    assert session.change(replace(session.settings, **change))
    assert np.array_equal(session.state.x, x)
    assert session.ledger.residual == 0.0
    after = session.ledger.energies
    if "stiffness" in change:
        assert after.elastic == pytest.approx(3.0 * before.elastic)
    if "gravity" in change:
        assert after.gravity == pytest.approx(before.gravity / 9.81)
    if "material" in change:
        assert after.elastic != before.elastic
    assert np.abs(advance(session, 10)).max() < 1e-10


def test_a_material_that_cannot_hold_these_positions_is_refused() -> None:
    """The ledger would continue with infinities."""
    session = Session(bar())
    session._progress.state = replace(session.state, x=session.state.x * [-1.0, 1.0, 1.0])
    settings, ledger = session.settings, session.ledger
    with pytest.raises(SuppleError, match="the energy of these positions is not finite with these settings"):
        session.change(replace(settings, material="neo-hookean"))
    assert session.settings == settings
    assert session.ledger is ledger
    session.reset()
    session.change(replace(settings, material="neo-hookean"))
    assert np.abs(advance(session, 3)).max() < 1e-10


def test_reset() -> None:
    session = Session(bar())
    start = session.state.x.copy()
    session.hold(far_vertex(session), [2.0, 2.0, 2.0])
    advance(session, 5)
    session.reset()
    assert session.steps == 0
    assert session.state.t == 0.0
    assert np.array_equal(session.state.x, start)
    assert session.ledger.energies.other == 0.0


def test_a_failed_step_leaves_the_last_good_state() -> None:
    session = Session(bar(), replace(settings_of(bar().make()), integrator="forward-euler", step=0.5))
    with pytest.raises(StepFailed):
        advance(session, 200)
    assert np.isfinite(session.state.x).all()
    session.change(replace(session.settings, integrator="avf", step=1 / 60))
    session.reset()
    advance(session, 3)


def test_choices() -> None:
    assert {"avf", "bdf2"} <= set(integrator_choices())
    assert {"stvk", "neo-hookean"} <= set(material_choices(bar().make().world))
    assert material_choices(load_scene("spring-sheet").make().world) == ("hooke-spring", "stvk-spring")


def test_springs_of_the_other_law_pull_alike() -> None:
    scene = load_scene("spring-sheet")
    one, two = (
        Session(scene, replace(settings_of(scene.make()), material=m)) for m in material_choices(scene.make().world)
    )
    for session in (one, two):
        advance(session, 2)
    assert one.ledger.energies.elastic == pytest.approx(two.ledger.energies.elastic, rel=0.2)
    assert one.ledger.energies.elastic > 0
