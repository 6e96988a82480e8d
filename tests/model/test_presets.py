"""Materials by words, all of them: they assemble, step, conserve energy, and have the values of the table."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import supple as sp
from supple.damping.aerodynamic import Air
from supple.energies.instant import Instant
from supple.energies.membranes.membrane import Membrane
from supple.materials import MATERIALS, MEMBRANES
from supple.materials.lame import lame
from supple.model.presets.published import SEEN, published
from supple.model.presets.written_out import STRETCH
from supple.scene.text.load import read_scene

WORDS = published()
SOLIDS = [word for word, row in WORDS.items() if not row.is_sheet]
SHEETS = [word for word, row in WORDS.items() if row.is_sheet]
CORNER = {"corner": sp.Selection(expression="X < 0.01 and Z < 0.01")}


def body(word: str, **factors: float) -> sp.Body:
    """A small body that a word fits."""
    material = sp.preset(word, **factors)
    if WORDS[word].is_sheet:
        return sp.Body(sp.Cloth(cells=(4, 4), size=(0.4, 0.4)), material, groups=CORNER, pin="corner")
    return sp.Body(sp.Bar(cells=(3, 1, 1), size=(0.3, 0.1, 0.1)), material, pin="left")


@cache
def model(word: str, **factors: float) -> sp.Model:
    return sp.assemble(sp.World([body(word, **factors)]))


def matrix(found: Any) -> np.ndarray:
    return np.asarray(found.stiffness().todense())


@pytest.mark.parametrize("word", WORDS)
def test_a_word_steps_and_keeps_its_energy(word: str) -> None:
    h = 1 / 240 if WORDS[word].is_sheet else 1 / 60
    for damping in (0.0, 1.0):
        frames = list(sp.simulate(model(word, damping=damping), sp.AVF(), h=h, steps=2))
        ledger = frames[-1].ledger
        play = max(frame.ledger.energies.kinetic for frame in frames)
        assert len(frames) == 3  # no step was halved
        assert abs(ledger.residual) <= 1e-9 * play
        assert (ledger.dissipated > 0.0) == (damping > 0.0)


@pytest.mark.parametrize("word", SOLIDS)
def test_moduli_of_solids_are_those_of_the_table(word: str) -> None:
    mu, lam = lame(*WORDS[word].moduli)
    C = model(word).bodies[0].law.tangent(np.eye(3)[None])[0]
    assert [C[0, 0, 1, 1], C[0, 1, 0, 1], C[0, 0, 0, 0]] == pytest.approx(
        [lam, mu, lam + 2 * mu], rel=1e-12, abs=1e-9 * mu
    )


@pytest.mark.parametrize("word", SHEETS)
def test_moduli_of_sheets_are_those_of_the_table(word: str) -> None:
    row = WORDS[word]
    compliance = np.linalg.inv(MEMBRANES.find(row.law)(**row.constants).tangent(np.zeros((1, 3)))[0])
    made = np.linalg.inv(model(word).bodies[0].law.tangent(np.zeros((1, 3)))[0])
    assert made == pytest.approx(compliance, rel=1e-12)
    warp = row.constants.get("young_warp", row.constants.get("young"))
    assert 1.0 / made[0, 0] == pytest.approx(warp, rel=1e-12)
    assert 1.0 / made[1, 1] == pytest.approx(row.constants.get("young_weft", warp), rel=1e-12)
    plain = model(word).bodies[0].body
    assert plain.thickness == row.thickness
    assert plain.bending is not None
    assert plain.bending.rigidity == row.rigidity


@pytest.mark.parametrize("word", WORDS)
def test_masses_are_those_of_the_table(word: str) -> None:
    row, volume = WORDS[word], 0.16 * (WORDS[word].thickness or 0.0) if WORDS[word].is_sheet else 0.003
    assert model(word).system.mass.sum() == pytest.approx(row.density * volume, rel=1e-12)
    assert model(word, denser=3.0).system.mass.sum() == pytest.approx(3.0 * row.density * volume, rel=1e-12)


@pytest.mark.parametrize("word", WORDS)
def test_twice_as_stiff_is_twice_the_matrix(word: str) -> None:
    once, twice = matrix(model(word)), matrix(model(word, stiffer=2.0))
    assert np.abs(once).max() > 0.0
    assert np.abs(twice - 2.0 * once).max() <= 1e-12 * np.abs(twice).max()


@pytest.mark.parametrize("word", WORDS)
def test_damping_is_the_loss_factor_at_the_frequency_that_is_seen(word: str) -> None:
    """At rest the matrix of the dampers is tau K, so that tan delta = omega tau; stretching of sheets has a part of it."""
    found = model(word)
    x, part = found.state.x, found.bodies[0]
    inside = [damper for damper in found.ingredients.damping if not isinstance(damper, Air)]
    assert len(part.stuff) == len(inside) > 0
    assert (len(inside) < len(found.ingredients.damping)) == WORDS[word].is_sheet  # in still air
    for term, damper in zip(part.stuff, inside, strict=True):
        share = STRETCH if isinstance(term, Membrane) else 1.0
        tau = share * WORDS[word].loss / (2.0 * np.pi * SEEN)
        K = term.element_hessians(x)
        D = damper.freeze(Instant(x, x, 0.0, 1 / 60)).element_hessians(np.zeros_like(x))  # type: ignore[attr-defined]
        assert pytest.approx(tau * K, rel=1e-9, abs=1e-11 * tau * np.abs(K).max()) == D


@pytest.mark.parametrize("word", WORDS)
def test_a_word_stays_a_word_in_text(word: str) -> None:
    for world in (sp.World([body(word)]), sp.World([body(word, stiffer=2.0, denser=1.5, damping=0.0)])):
        text = world.to_toml(sp.AVF())
        again = read_scene(tomllib.loads(text), Path()).make().world
        assert again == world
        assert again.to_toml(sp.AVF()) == text
        assert "young" not in text
        assert "density" not in text
    assert f'material = "{word}"' in sp.World([body(word)]).to_toml(sp.AVF())


@pytest.mark.parametrize("word", WORDS)
def test_rows_are_complete(word: str) -> None:
    row = WORDS[word]
    assert row.law in (MEMBRANES if row.is_sheet else MATERIALS).names()
    assert not row.sheet or row.sheet in MEMBRANES.names()
    assert 0.0 < row.loss < 1.5
    assert len(row.source) > 10
    assert row.what
    assert row.spread
