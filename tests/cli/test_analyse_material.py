"""`supple analyse material`: files, figures, fits, refusals."""

import csv
import tomllib
from pathlib import Path

import pytest
from command import here, last_json, write_scene

from supple.materials import MATERIALS
from supple.scene.tables.materials import material_model

TRELOAR = Path(__file__).parents[2] / "examples" / "data" / "treloar.csv"
QUICK = ("--mode", "uniaxial,shear", "--stretch", "0.5:2")


def test_curves_of_several_kinds(in_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_scene(in_folder)
    formula = "mu/2*(I1 - 3) - mu*log(J) + lam/2*log(J)^2"
    words = ("stvk", "gent", formula, "bar.toml:bar", "--young", 2e4, "--poisson", 0.3, "--constant", "gent.Jm=1")
    here("analyse", "material", *words, *QUICK, "--json")
    found = last_json(capsys.readouterr().out)["materials"]
    assert [one["material"] for one in found] == ["stvk", "gent", "formula", "bar.toml:bar"]
    for one in found:
        assert one["young"] == pytest.approx(2e4)
        assert one["poisson"] == pytest.approx(0.3)
        assert one["isotropic"]
    assert [one["degree"] for one in found] == [4, None, None, 4]
    assert found[0]["modes"]["uniaxial"]["stable"][0] == pytest.approx(3**-0.5, abs=2e-3)
    assert found[1]["modes"]["shear"]["defined"][1] == pytest.approx(1.0, abs=1e-4)
    assert found[3]["modes"] == found[0]["modes"]
    with (in_folder / "material.csv").open(newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert list(rows[0]) == ["material", "mode", "amount", "stress", "curvature", "acoustic"]
    assert {row["mode"] for row in rows} == {"uniaxial", "shear"}
    assert (in_folder / "material.png").read_bytes().startswith(b"\x89PNG")


def test_the_table_says_where_solids_are_stable(in_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    here("analyse", "material", "stvk", "gent", "--constant", "Jm=1", *QUICK, "--plot", "a.svg")
    out = capsys.readouterr().out
    assert "stable, uniaxial" in out
    assert "0.5773 to 2" in out
    assert "stvk, uniaxial: not elliptic below 0.583" in out
    assert "gent, shear: no stress above 1" in out
    assert (in_folder / "a.svg").read_text().startswith("<?xml")


@pytest.mark.usefixtures("blank")
def test_fits_are_ranked_and_can_be_pasted(in_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    here("analyse", "material", "neo-hookean", "gent", "--fit", TRELOAR, "--fixed", "gent.bulk=5e8", "--json")
    found = last_json(capsys.readouterr().out)["fits"]
    assert [one["material"] for one in found] == ["gent", "neo-hookean"]
    assert found[0]["r2"] > 0.99 > 0.9 > found[1]["r2"]
    assert found[0]["held"] == {"bulk": 5e8}
    table = tomllib.loads(found[0]["scene"])["material"]
    assert table["Jm"] == pytest.approx(found[0]["constants"]["Jm"], rel=1e-5)
    assert material_model("gent", MATERIALS.find("gent")).model_validate(table).make().bulk == 5e8
    with (in_folder / "material.csv").open(newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert list(rows[0]) == ["material", "mode", "amount", "measured", "computed"]
    assert len(rows) == 80


@pytest.mark.usefixtures("blank")
def test_a_law_that_cannot_follow_the_data_is_shown_as_such(
    in_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Gent's rubber with this limit of stretch tears at 1.9."""
    (in_folder / "a.csv").write_text("1.2, 1e5\n1.6, 2e5\n2.5, 3e5\n")
    here("analyse", "material", "gent", "yeoh", "--fixed", "gent.Jm=1,yeoh.c3=0", "--fit", "a.csv", "--json")
    found = last_json(capsys.readouterr().out)
    assert [one["material"] for one in found["fits"]] == ["yeoh"]
    assert found["failures"][0].startswith("gent: no constants were found for which it has stresses at all points")
    here("analyse", "material", "gent", "--fixed", "Jm=1", "--fit", "a.csv", code=2)
    assert "gent: no constants were found" in capsys.readouterr().err


@pytest.mark.usefixtures("blank")
def test_a_formula_is_fitted(in_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (in_folder / "a.csv").write_text("strain, stress [kPa]\n0.1, 9\n0.2, 17\n0.3, 24\n")
    text = "a*(J^(-2/3)*I1 - 3) + bulk/2*(J - 1)^2"
    here("analyse", "material", text, "--constant", "a=1e4", "--fixed", "bulk=1e8", "--fit", "a.csv", "--json")
    fit = last_json(capsys.readouterr().out)["fits"][0]
    assert fit["constants"]["a"] == pytest.approx(1.7e4, rel=0.05)
    table = tomllib.loads(fit["scene"])["material"]
    assert table["name"] == "formula"
    assert table["energy"] == text
    assert table["bulk"] == 1e8


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("gnt",), "unknown material 'gnt'; did you mean 'gent'?"),
        (("gent", "--constant", "Jn=3"), "--constant: unknown constant Jn; gent has mu, bulk, Jm"),
        (("gent", "--constant", "Jm"), "--constant: found 'Jm'; give NAME=NUMBER, such as mu=1e5 or gent.mu=1e5"),
        (("gent", "--constant", "mu=3"), "gent: give either all of mu, bulk by --constant, or --young and --poisson; found mu"),
        (("mu*(I1 - 3)",), "formula: no value for mu; give --constant mu=1e5 (--young and --poisson give mu, lam and bulk)"),
        (("a*(I1 - 3)",), "formula: no value for a; give --constant a=1e5"),
        (("a*(I1 -",), "formula: 'a*(I1 -' is not an expression"),
        (("a*(I1 - 3)", "--constant", "a=1"), "formula.energy: at rest the stress should be zero, found 2 Pa"),
        (("gent", "--stretch", "2"), "--stretch: found '2'; give LOW:HIGH, such as 0.4:2.5"),
        (("gent", "--mode", "tension"), "unknown mode 'tension'"),
        (("gent", "--fixed", "bulk=1"), "--fixed: requires --fit"),
        (("gent", "--fit", "no.csv"), "no.csv: cannot be read"),
        (("gent", "--fit", "no.csv", "--young", "1e5"), "--young: follows from the data of --fit; leave it out"),
        (("jelly:cub",), "jelly:cub: unknown body 'cub'"),
        (("flag",), "which is not a material for tets"),
    ],
)  # fmt: skip
def test_refusals(words: tuple[str, ...], message: str, in_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    here("analyse", "material", *words, code=2)
    assert message in capsys.readouterr().err
