"""`supple info --material`: facts about a material by its name, and about a formula."""

import json

import pytest
from command import here

NEO = "mu/2*(I1 - 3) - mu*log(J) + lam/2*log(J)^2"


def said(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    here("info", *arguments, code=code)
    found = capsys.readouterr()
    return found.out if code == 0 else found.err


def test_a_registered_material(capsys: pytest.CaptureFixture[str]) -> None:
    out = said(capsys, "--material", "stable-neo-hookean", "--constant", "young=1e6", "--constant", "poisson=0.3")
    assert out.splitlines() == [
        "stable-neo-hookean",
        "energy     mu/2*(I1 - 3) - mu*(J - 1) + (lam + mu)/2*(J - 1)^2 [J/m^3]",
        "constants  mu = 384615, lam = 576923",
        "degree     a polynomial of degree 6 in F: avf is exact with gauss-3",
        "defined    for every F",
        "at rest    isotropic, young = 1e+06 Pa, poisson = 0.3",
    ]


def test_a_class_without_constants(capsys: pytest.CaptureFixture[str]) -> None:
    out = said(capsys, "--material", "neo-hookean")
    assert "mu: Shear modulus [Pa]." in out
    assert "defined    J > 0" in out
    assert "give constants to see moduli" in out


def test_a_formula(capsys: pytest.CaptureFixture[str]) -> None:
    constants = ("--constant", "mu=1e5", "--constant", "lam=4e5")
    assert "young = 280000 Pa, poisson = 0.4" in said(capsys, "--material", NEO, *constants)
    fibres = ("--constant", "k=1e6", "--constant", "fibre=[1, 0, 0]")
    facts = json.loads(said(capsys, "--material", f"{NEO} + k/8*(I4 - 1)^2", *constants, *fibres, "--json"))
    assert facts["isotropic"] is False
    assert facts["young"] is None
    assert facts["stiffness"][0][0] - facts["stiffness"][1][1] == pytest.approx(1e6)
    assert facts["domain"] == ["J > 0"]
    assert facts["degree"] is None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--material", "neo-hokean"], "unknown material 'neo-hokean'; did you mean 'neo-hookean'?"),
        (["--material", "mu*(I9 - 3)", "--constant", "mu=1"], "energy: unknown name 'I9'"),
        (["--material", "mu*(I1 - 3)", "--constant", "mu=1"], "energy: at rest the stress should be zero, found 2 Pa"),
        (["--material", "stvk", "--constant", "mu=-1", "--constant", "lam=1"], "mu: input should be greater than 0"),
        (["--material", "stvk", "--constant", "mu"], "--constant mu: give KEY=VALUE, such as mu=1e5"),
        (["--material", "stvk", "--constant", "mu=X", "--constant", "lam=1"], "stvk.mu: it depends on position"),
        (["--constant", "mu=1"], "--constant: give the material too"),
    ],
)
def test_what_is_wrong(capsys: pytest.CaptureFixture[str], arguments: list[str], message: str) -> None:
    assert message in said(capsys, *arguments, code=2)
