"""Constants from measured data: known ones are found again, files are read or refused with their line."""

from pathlib import Path

import numpy as np
import pytest

from supple.analysis.materials.data import Measured, read_stress_data
from supple.analysis.materials.fitting import Fit, fit_material, rank
from supple.analysis.materials.problem import first_modulus, stresses
from supple.errors import SuppleError
from supple.materials.material import Material
from supple.materials.neo_hookean import NeoHookean
from supple.materials.solids.compressible import BlatzKo
from supple.materials.solids.rubber import ArrudaBoyce, Gent, GentGent, Yeoh
from supple.materials.solids.tissue import Fung

TRELOAR = Path(__file__).parents[2] / "examples" / "data" / "treloar.csv"


def synthetic(law: Material, modes: dict[str, np.ndarray], noise: float) -> dict[str, Measured]:
    """Stresses of a law with noise, relative to the largest."""
    empty = {mode: Measured(a, np.zeros_like(a)) for mode, a in modes.items()}
    exact = stresses(law, empty)
    noisy = exact + noise * np.abs(exact).max() * np.random.default_rng(5).normal(size=len(exact))
    parts = np.split(noisy, np.cumsum([len(a) for a in modes.values()])[:-1])
    return {mode: Measured(a, part) for (mode, a), part in zip(modes.items(), parts, strict=True)}


STRETCHED = {"uniaxial": np.linspace(1.05, 4.0, 20), "biaxial": np.linspace(1.05, 2.2, 12)}


@pytest.mark.parametrize(
    ("law", "modes"),
    [
        (Gent(mu=4e5, bulk=4e8, Jm=22.0), STRETCHED),
        (ArrudaBoyce(mu=4e5, bulk=4e8, locking=2.8), STRETCHED),
        (Yeoh(c1=2e5, c2=-6e3, c3=600.0, bulk=4e8), STRETCHED),
        (Fung(mu=4e3, bulk=4e6, b=1.3), {"uniaxial": np.linspace(0.6, 1.8, 25)}),
        (
            BlatzKo(mu=2e5, beta=0.7, f=0.4),
            {"uniaxial": np.linspace(0.5, 2.0, 25), "volumetric": np.linspace(0.6, 1.2, 9)},
        ),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_known_constants_are_found_from_noisy_data(law: Material, modes: dict[str, np.ndarray]) -> None:
    fixed = {"bulk": law.constants()["bulk"]} if hasattr(law, "bulk") else {}
    fit = fit_material(law.name, synthetic(law, modes, 2e-3), fixed=fixed)
    assert fit.r2 > 0.9995
    assert fit.agreeing >= 2
    for name, value in fit.values.items():
        true, error = law.constants()[name], fit.errors[name]
        assert abs(value - true) < 5 * error + 1e-9 * abs(true), name
        assert 0 < error < 0.2 * abs(true)


def test_exact_data_are_met_exactly() -> None:
    law = Gent(mu=4e5, bulk=4e8, Jm=22.0)
    fit = fit_material(Gent, synthetic(law, STRETCHED, 0.0), fixed={"bulk": 4e8})
    assert fit.values["mu"] == pytest.approx(4e5, rel=1e-6)
    assert fit.values["Jm"] == pytest.approx(22.0, rel=1e-6)


def test_a_formula_is_fitted_from_its_first_guesses() -> None:
    data = synthetic(NeoHookean(mu=3e5, lam=6e5), {"uniaxial": np.linspace(0.7, 2.0, 15)}, 0.0)
    text = "mu/2*(I1 - 3) - mu*log(J) + first/2*log(J)^2"
    fit = fit_material(text, data, start={"mu": 1e5, "first": 1e5})
    assert fit.values == pytest.approx({"mu": 3e5, "first": 6e5}, rel=1e-5)


def test_the_bulk_modulus_is_held_unless_volumes_were_measured() -> None:
    law = Gent(mu=4e5, bulk=4e8, Jm=22.0)
    held = fit_material("gent", synthetic(law, STRETCHED, 0.0))
    assert held.held["bulk"] == pytest.approx(1000 * 4e5, rel=0.2)
    both = STRETCHED | {"volumetric": np.linspace(0.99, 1.01, 9)}
    assert fit_material("gent", synthetic(law, both, 0.0)).values["bulk"] == pytest.approx(4e8, rel=1e-3)


@pytest.fixture(scope="module")
def treloar() -> list[Fit]:
    data = read_stress_data(TRELOAR)
    return rank([fit_material(name, data) for name in ("neo-hookean", "yeoh", "gent", "gent-gent")])


def test_treloars_rubber(treloar: list[Fit]) -> None:
    """One set of constants for uniaxial and biaxial tension; the root mean square is that of docs/guide/materials.md."""
    assert [fit.label for fit in treloar] == ["gent-gent", "gent", "yeoh", "neo-hookean"]
    found = {fit.label: fit for fit in treloar}
    assert found["gent-gent"].rms == pytest.approx(1.00e5, rel=0.01)
    assert found["gent"].rms == pytest.approx(1.548e5, rel=0.01)
    assert found["yeoh"].rms == pytest.approx(1.612e5, rel=0.01)
    assert found["neo-hookean"].r2 < 0.9 < 0.99 < found["yeoh"].r2
    assert found["gent"].values["mu"] == pytest.approx(2.70e5, rel=0.01)
    assert found["gent"].values["Jm"] == pytest.approx(80.4, rel=0.01)
    assert isinstance(found["gent-gent"].material, GentGent)


def test_uniaxial_data_alone_are_met_closely() -> None:
    data = {"uniaxial": read_stress_data(TRELOAR)["uniaxial"]}
    fit = fit_material("gent", data)
    assert fit.r2 > 0.998
    assert fit.values["Jm"] == pytest.approx(75.8, rel=0.01)


@pytest.mark.parametrize(
    "text",
    [
        "stretch,stress\n1.1,1e5\n1.2,2e5\n",
        "# Treloar\n\n1.1 1e5\n1.2 2e5\n",
        "1.1;1e5;uniaxial\n1.2;2e5;uniaxial\n",
        "mode\tstress [kPa]\tstrain\nuniaxial\t100\t0.1\nuniaxial\t200\t0.2\n",
        'stretch [-], "stress (MPa)"\r\n1.2, 0.2\r\n1.1, 0.1\r\n',
        "\ufeffStretch Stress [Pa]\n1.1 1e5\n1.2 2e5\n",
    ],
)
def test_files_are_read_in_many_forms(text: str, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(text.encode())
    data = read_stress_data(tmp_path / "a.csv")
    assert list(data) == ["uniaxial"]
    np.testing.assert_allclose(data["uniaxial"].amount, [1.1, 1.2])
    np.testing.assert_allclose(data["uniaxial"].stress, [1e5, 2e5])


def test_modes_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("1.1, 1e5, biaxial\n0.3, 1e4, shear\n1.2, 2e5, biaxial\n0.9,-1,volumetric\n")
    data = read_stress_data(tmp_path / "a.csv")
    assert {mode: len(m.amount) for mode, m in data.items()} == {"biaxial": 2, "shear": 1, "volumetric": 1}
    (tmp_path / "b.csv").write_text("strain, stress\n0.1, 1.0\n-0.1, -1.0\n")
    assert read_stress_data(tmp_path / "b.csv", "shear")["shear"].amount.tolist() == [-0.1, 0.1]
    assert read_stress_data(tmp_path / "b.csv", "biaxial")["biaxial"].amount.tolist() == [0.9, 1.1]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"a\.csv: no rows; a file has a line per point"),
        ("stretch,stress\n", r"a\.csv: no rows below the names of the columns"),
        ("strech,stress\n1,2\n", r"a\.csv, line 1: unknown column 'strech'; did you mean 'stretch'\?"),
        ("stress, mode\n1,2\n", r"a\.csv, line 1: columns stretch \(or strain\) and stress are required"),
        ("stretch,stress [psi]\n1,2\n", r"a\.csv, line 1: unknown unit 'psi'; known: Pa, kPa, MPa, GPa"),
        ("# c\n1.1,x\n", r"a\.csv, line 2: found 'x' in the column stress; give a finite number"),
        ("1.1,nan\n", r"a\.csv, line 1: found 'nan' in the column stress; give a finite number"),
        ("1.1,1,biaxal\n", r"a\.csv, line 1: unknown mode 'biaxal'; did you mean 'biaxial'\?"),
        ("1.1,1\n1.2\n", r"a\.csv, line 2: 1 columns found, 2 required"),
        ("-1.1,1\n", r"a\.csv, line 1: found a stretch of -1\.1; give one above 0"),
    ],
)
def test_bad_files_are_refused_with_their_line(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(text)
    with pytest.raises(SuppleError, match=message):
        read_stress_data(tmp_path / "a.csv")


def test_a_file_that_is_missing_or_no_text(tmp_path: Path) -> None:
    with pytest.raises(SuppleError, match=r"no\.csv: cannot be read: No such file"):
        read_stress_data(tmp_path / "no.csv")
    (tmp_path / "b.csv").write_bytes(b"\xff\xfe\x00\x81")
    with pytest.raises(SuppleError, match=r"b\.csv: cannot be read: it is not text"):
        read_stress_data(tmp_path / "b.csv")


POINTS = {"uniaxial": Measured(np.array([1.1, 1.2, 1.3]), np.array([1e5, 1.8e5, 2.5e5]))}


@pytest.mark.parametrize(
    ("law", "options", "message"),
    [
        ("gnt", {}, "unknown material 'gnt'; did you mean 'gent'"),
        ("gent", {"fixed": {"Jn": 1.0}}, "gent: unknown constant Jn; known: mu, bulk, Jm"),
        ("gent", {"start": {"Jn": 1.0}}, "gent: unknown constant Jn; known: mu, bulk, Jm"),
        ("gent", {"start": {"Jm": -1.0}}, r"gent\.Jm: the initial guess -1 is out of bounds"),
        ("gent", {"fixed": {"mu": 1.0, "Jm": 3.0}}, "gent: all its constants are fixed; leave one free"),
        ("yeoh", {}, "yeoh: 3 points cannot determine 3 constants"),
    ],
)
def test_fits_that_cannot_be_made_are_refused(law: str, options: dict[str, dict[str, float]], message: str) -> None:
    with pytest.raises(SuppleError, match=message):
        fit_material(law, POINTS, **options)


def test_pressure_that_counts_as_tension_is_refused() -> None:
    assert first_modulus(POINTS) == pytest.approx(9e5)
    wrong = {"uniaxial": Measured(POINTS["uniaxial"].amount, -POINTS["uniaxial"].stress)}
    with pytest.raises(SuppleError, match="data: stresses near rest have the opposite sign of their strains"):
        first_modulus(wrong)
