"""Viscosity as a formula: against the shipped one, in other rates, its derivatives, and refusals."""

from typing import Any

import numpy as np
import pytest
from damped_bodies import SQUARES, cube, spinning_bar

from builders import run
from supple.damping.damper import Damped
from supple.damping.formula import FrozenRates, TorqueFreeRates, dissipation
from supple.damping.viscosity import Viscosity
from supple.energies.instant import Instant
from supple.energies.solids.solid import Solid
from supple.energies.term import EnergyTerm
from supple.errors import SuppleError
from supple.integrators.implicit.avf import AVF
from supple.integrators.implicit.energy_momentum import SimoTarnow
from supple.materials.variables import ENTRIES
from supple.types import Array

VISCOSITY = f"eta*{SQUARES} + zeta/2*(Edot11 + Edot22 + Edot33)^2"
SPATIAL = SQUARES.replace("Edot", "D")


def body() -> tuple[Solid, Array, Array]:
    setup = cube()
    solid = setup[0].potential.terms[0]
    assert isinstance(solid, Solid)
    return solid, setup[1].x, np.random.default_rng(7).standard_normal(setup[1].x.shape)


def frozen(text: str, **constants: float) -> EnergyTerm:
    solid, x, _ = body()
    (term,) = dissipation(text, **constants).on(Damped(np.ones(len(x)), (solid,))).dissipation
    return term.freeze(Instant(x, x, 0.0, 0.1))


def close(found: Array, wanted: Array, tolerance: float = 1e-13) -> None:
    np.testing.assert_allclose(found, wanted, rtol=0, atol=tolerance * np.abs(wanted).max())


def test_the_shipped_viscosity_written_as_a_formula_is_the_same() -> None:
    solid, x, v = body()
    (term,) = Viscosity(3.0, 2.0).on(Damped(np.ones(len(x)), (solid,))).dissipation
    wanted, found = term.freeze(Instant(x, x, 0.0, 0.1)), frozen(VISCOSITY, eta=3.0, zeta=2.0)
    assert isinstance(found, FrozenRates)
    assert found.degree == 2
    close(found.element_values(v), wanted.element_values(v))
    close(found.element_gradients(v), wanted.element_gradients(v))
    close(found.element_hessians(v), wanted.element_hessians(v))


def test_runs_with_it_are_the_same() -> None:
    ends = []
    for damping in (Viscosity(40.0, 20.0), dissipation(VISCOSITY, eta=40.0, zeta=20.0)):
        frames = run(spinning_bar(damping), AVF(), 1 / 120, 12)
        ends.append(frames[-1])
    close(ends[1].state.x, ends[0].state.x, 1e-11)
    assert ends[1].ledger.dissipated == pytest.approx(ends[0].ledger.dissipated, rel=1e-9)
    assert ends[1].ledger.dissipated > 1e-3 * ends[1].ledger.initial


def test_the_rate_of_deformation_is_that_of_the_present_shape() -> None:
    """D = sym(Fdot F^-1), and Fdot itself."""
    solid, x, v = body()
    F, rate = solid.deformation_gradients(x), solid.deformation_gradients(v)
    L = rate @ np.linalg.inv(F)
    D = 0.5 * (L + np.swapaxes(L, 1, 2))
    J = np.linalg.det(F)
    close(frozen(f"eta*J*{SPATIAL}", eta=3.0).element_values(v), solid.volume * 3.0 * J * (D**2).sum(axis=(1, 2)))
    every = " + ".join(f"Fdot{name[1:]}^2" for name in ENTRIES)
    close(frozen(f"eta*({every})", eta=3.0).element_values(v), solid.volume * 3.0 * (rate**2).sum(axis=(1, 2)))
    E = 0.5 * (np.swapaxes(F, 1, 2) @ F - np.eye(3))
    stiffening = frozen("eta*(1 + c*E11^2 + F12^2)*Edot11^2", eta=3.0, c=2.0)
    Edot = np.einsum("mki,mkj->mij", F, rate)[:, 0, 0]
    close(stiffening.element_values(v), solid.volume * 3.0 * (1 + 2.0 * E[:, 0, 0] ** 2 + F[:, 0, 1] ** 2) * Edot**2)


def test_the_degree_counts_rates_only() -> None:
    assert frozen(f"eta*{SQUARES} + c*{SQUARES}^2", eta=3.0, c=0.5).degree == 4
    assert frozen(f"eta*(1 + E11^2)*{SPATIAL}", eta=3.0).degree == 2
    assert frozen(f"sqrt(1 + {SQUARES}) - 1").degree is None


@pytest.mark.parametrize(
    ("text", "free"),
    [
        (SQUARES, True),
        (f"J*{SPATIAL}", True),
        ("(D11 + D22 + D33)^2", True),
        ("Fdot12^2", False),
        ("F11^2*Edot12^2", True),
    ],
)
def test_which_formulas_turn_nothing(text: str, free: bool) -> None:
    made = dissipation(text)
    solid, x, _ = body()
    assert made.turns_nothing == free
    assert isinstance(made.on(Damped(np.ones(len(x)), (solid,))).dissipation[0], TorqueFreeRates) == free


@pytest.mark.parametrize("method", [AVF(), SimoTarnow()], ids=["avf", "simo-tarnow"])
def test_the_ledger_closes(method: Any) -> None:
    """A viscosity that thickens: dissipated energy equals the loss of the motion, to the tolerance of the solver."""
    frames = run(spinning_bar(dissipation(f"eta*{SQUARES} + c*({SQUARES})^2", eta=20.0, c=5.0)), method, 1 / 120, 24)
    ledger = frames[-1].ledger
    assert ledger.dissipated > 1e-3 * ledger.initial
    assert abs(ledger.residual) <= 1e-10 * ledger.initial
    gains = np.diff([f.ledger.dissipated for f in frames])
    assert gains.min() >= 0.0


@pytest.mark.parametrize(
    ("text", "constants", "words"),
    [
        ("eta*Edot11^2", {}, r"formula\.dissipation: unknown name 'eta'"),
        ("eta*Edot11^2", {"eta": np.nan}, r"formula\.eta: input should be a finite number, found nan"),
        ("-Edot11^2", {}, r"formula\.dissipation: it would drive the motion instead of damping it: -.* W/m\^3"),
        ("Edot11^2 - 3*Edot22^2", {}, "it would drive the motion"),
        ("Edot11^2 + 1", {}, r"at zero rate the potential should be zero, found 1 W/m\^3; subtract it"),
        ("Edot11^2 + 1e3*Edot12", {}, "at zero rate the stress should be zero, found .* Pa; subtract it"),
        ("(J - 1)^2", {}, "at zero rate the potential should be zero"),
        ("0*Edot11", {}, "it contains no rate and damps nothing"),
        ("sqrt(Edot11^2)", {}, "it is not defined at zero rate; add a small value under a root or a fractional power"),
        ("exp(Edot11^4) - 1", {}, "it is not finite at some rates"),
        ("eta*Edot11^2", {"eta": 1.0, "zeta": 2.0}, "it has no zeta, which is given as a constant"),
        ("Edot11 > 0", {}, "a dissipation potential is a number"),
        ("F11*Edot11^2", {"F11": 1.0}, "constants cannot be called F11"),
    ],
)
def test_what_does_not_damp_is_refused(text: str, constants: dict[str, float], words: str) -> None:
    with pytest.raises(SuppleError, match=words):
        dissipation(text, **constants)


def test_only_solids_have_such_rates() -> None:
    with pytest.raises(SuppleError, match=r"formula: damps solids \(tets\) only, found no elastic body"):
        dissipation("Edot11^2").on(Damped(np.ones(2), ()))
