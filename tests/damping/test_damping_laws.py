"""Properties of damping: dissipated energy, a ledger that closes, and unaffected free fall."""

from itertools import pairwise

import numpy as np
import pytest
from damped_bodies import DRAGS, FORMS, ON_SOLIDS, ON_SPRINGS, cube, damped, net

from builders import Setup, run
from supple.damping.drag import AirDrag
from supple.damping.rayleigh import Rayleigh
from supple.dynamics.state import State
from supple.energies.springs.anchor import Anchors
from supple.integrators.implicit.avf import AVF
from supple.linalg.reduce import dot

H = 0.02
BODIES: dict[str, tuple[Setup, bool]] = {
    **{f"{name} of a solid": (cube(damping, g=9.8), True) for name, damping in ON_SOLIDS.items()},
    **{f"{name} of springs": (net(damping, g=9.8), True) for name, damping in ON_SPRINGS.items()},
    **{name: (cube(damping, g=9.8), False) for name, damping in DRAGS.items()},
    "rayleigh and viscosity": (cube(ON_SOLIDS["rayleigh"], ON_SOLIDS["viscosity"], g=9.8), True),
}
"""Bodies that fall, and whether their damping leaves free fall alone."""
QUADRATIC = [name for name in BODIES if "structure" not in name and name not in {"wind", "stream"}]


@pytest.mark.parametrize("name", BODIES)
def test_avf(name: str) -> None:
    """The ledger closes; the centre falls on the exact parabola; linear damping takes h vbar^T D vbar in every step."""
    (system, start), falls = BODIES[name]
    frames = run((system, start), AVF(), H, 20)
    scale = frames[0].ledger.energies.scale
    assert max(abs(f.ledger.residual) for f in frames) <= 1e-11 * scale
    assert frames[-1].ledger.dissipated > 0.01 * scale
    if falls:
        centre = np.array([system.mass @ f.state.x for f in frames]) / system.mass.sum()
        t = H * np.arange(21)[:, None]
        drift = system.mass @ start.v / system.mass.sum()
        np.testing.assert_allclose(centre, centre[0] + t * drift + t**2 / 2 * [0.0, -9.8, 0.0], rtol=0, atol=1e-10)
    if name in QUADRATIC:
        for old, new in pairwise(frames):
            mean = (new.state.x - old.state.x) / H
            D = system.during(old.state, H, 0.5).dissipation.frozen
            change = new.ledger.energies.total - old.ledger.energies.total
            assert abs(change + H * dot(mean, D.gradient(mean))) <= 1e-11 * scale


@pytest.mark.parametrize(("steps", "left"), [(50, 0.4553), (100, 0.45246), (200, 0.45174)])
def test_oscillator(steps: int, left: float) -> None:
    """k = 40, m = 1, delta = 0.01; the exact value is 0.45150."""
    anchors = Anchors(np.zeros((1, 3)), 40.0)
    system = damped(np.zeros((1, 3)), np.ones(1), [anchors], Rayleigh(stiffness=0.01))
    frames = run((system, State(0.0, np.array([[1.0, 0.0, 0.0]]), np.zeros((1, 3)))), AVF(), 2.0 / steps, steps)
    found = frames[-1].ledger.energies.total / frames[0].ledger.energies.total
    assert found == pytest.approx(left, abs=5.1e-6 if steps > 50 else 5.1e-5)


def test_wind_carries_a_body_along() -> None:
    """It drives the body from rest: half of its work m |w|^2 becomes motion, half of it heat, which is told apart."""
    w = np.array([3.0, 0.0, -1.0])
    system, start = cube(AirDrag(2.0, lambda x, t: np.tile(w, (len(x), 1))))
    still = State(0.0, start.x, np.zeros_like(start.x))
    frames = run((system, still), AVF(), 0.05, 50)
    mean = system.mass @ frames[-1].state.v / system.mass.sum()
    np.testing.assert_allclose(mean, w * (1 - np.exp(-2.0 * 2.5)), rtol=1e-4, atol=1e-12)
    work, shaken = frames[20].ledger.external_work, frames[0].ledger.energies.total
    assert work == pytest.approx(8.0 * w @ w * (1 - np.exp(-2.0)), rel=1e-3)
    heat = frames[20].ledger.dissipated
    assert 4.0 * w @ w * (1 - np.exp(-4.0)) < heat < 4.0 * w @ w * (1 - np.exp(-4.0)) + shaken
    assert max(abs(f.ledger.residual) for f in frames) <= 1e-11 * frames[-1].ledger.energies.scale


@pytest.mark.parametrize("form", FORMS)
def test_impulses_and_increments_only_take_energy(form: str) -> None:
    frames = run(cube(ON_SOLIDS[f"structure-preserving {form}"]), AVF(), H, 40)
    assert np.diff([f.ledger.dissipated for f in frames]).min() >= 0.0
