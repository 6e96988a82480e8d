"""Spectra: known frequencies, modes without stiffness, unstable ones."""

import numpy as np
import pytest

from builders import stretched_bar
from supple.analysis.oscillator import oscillator
from supple.analysis.spectrum import spectrum
from supple.scene.text.load import load_scene


def test_an_oscillator_has_its_own_frequency() -> None:
    one = spectrum(oscillator(7.0), np.zeros((1, 3)), 10)
    np.testing.assert_allclose(one.frequencies, 7.0 / (2 * np.pi) * np.ones(3), rtol=1e-14)
    assert not one.is_zero.any()


def test_a_free_body_has_six_modes_without_stiffness() -> None:
    body = load_scene("stretched-bar").make().assemble()
    one = spectrum(body.system, body.mesh.vertices, 20)
    assert one.is_zero.sum() == 6
    assert (one.frequencies[:6] == 0.0).all()
    assert (np.diff(one.modes.values[6:]) >= 0).all()
    assert not one.is_unstable.any()


def test_frequencies_go_with_the_root_of_the_stiffness() -> None:
    soft, stiff = (
        load_scene("cantilever", [f"body[0].material.young={young}"]).make().assemble() for young in ("1e6", "1e8")
    )
    found = [spectrum(body.system, body.mesh.vertices, 12).frequencies for body in (soft, stiff)]
    np.testing.assert_allclose(found[1], 10.0 * found[0], rtol=1e-8)


def test_a_crushed_bar_is_unstable() -> None:
    system, state = stretched_bar(stretch=(0.6, 1.0, 1.0))
    one = spectrum(system, state.x, 12)
    assert one.is_unstable.any()
    assert np.isnan(one.frequencies[one.is_unstable]).all()
    assert one.modes.values[0] == pytest.approx(one.modes.values.min())
