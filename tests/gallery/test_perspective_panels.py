"""Panels of the numerical perspective: what they measure with."""

import numpy as np
import pytest

from supple.gallery.perspective.curved_contact import _between, _refused
from supple.gallery.perspective.damping_curves import exact
from supple.gallery.perspective.fixed_beam import Printed22, Printed26, _potential


def test_closed_forms_of_damping() -> None:
    """Reference values of the curves at h omega = 1."""
    one = np.array([1.0])
    assert exact("backward-euler", one)[0] == pytest.approx(np.log(2.0), rel=1e-12)
    assert exact("bdf2", one)[0] == pytest.approx(0.1380120, rel=1e-6)
    assert exact("tr-bdf2", one)[0] == pytest.approx(5.899722e-3, rel=1e-6)
    assert exact("sdirk", one)[0] == pytest.approx(6.261920e-3, rel=1e-6)


@pytest.mark.parametrize("r", [0.1, 0.6])
def test_refused_steps_are_those_between_tangent_and_ball(r: float) -> None:
    assert _refused("velocity", r) == pytest.approx(_between(r), rel=0.1)
    assert _refused("linearised", r) == pytest.approx(_between(r), rel=0.1)
    assert _refused("projection", r) == 0.0


def test_printed_hybrids_gain_energy() -> None:
    """The forms of the panel are the printed ones: they grow from the first second on."""
    for method in (Printed22(10), Printed26(10)):
        total = np.array(_potential((6, 2, 2), method))[:, 1]
        assert total[30] > 1.05 * total[0]
