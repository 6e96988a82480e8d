"""Formulas in the scene of a stranger: refused with the column of the mistake, quickly, and nothing is evaluated."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import supple as sp
from supple.cli import main
from supple.errors import SceneError, SuppleError
from supple.scene.text.load import read_scene
from work import little_work

ENTRIES = [f"F{i}{j}" for i in (1, 2, 3) for j in (1, 2, 3)]
STRAINS = ["I1", "I2", "J", *ENTRIES]
HOSTILE = {
    "attribute": ("I1.__class__", "'I1.__class__' is not allowed", 1),
    "attribute of a tuple": ("mu*().__class__.__base__", "is not allowed", 4),
    "call of what is no function": ("mu*__import__('os').system('true')", "unknown function '__import__('os').system'", 4),
    "builtin": ("mu*eval('1')", "unknown function 'eval'", 4),
    "call of a call": ("exp(1)(2)", "unknown function", 1),
    "name of Python": ("mu*__class__", "unknown name '__class__'", 4),
    "lambda": ("mu*(lambda: 1)()", "unknown function", 4),
    "subscript": ("mu*I1[0]", "'I1[0]' is not allowed", 4),
    "walrus": ("(a := mu)*I1", "'a := mu' is not allowed", 2),
    "f-string": ("f'{mu}'", "is not allowed", 1),
    "string": ("mu*'I1'", "is not allowed", 4),
    "bytes": ("b'a'*mu", "is not allowed", 1),
    "list comprehension": ("[mu for mu in I1]", "is not allowed", 1),
    "conditional": ("1 if mu else 2", "is not allowed", 1),
    "starred": ("max(*I1)", "takes plain arguments", 1),
    "keyword": ("exp(x=I1)", "takes plain arguments", 1),
    "ellipsis": ("mu*...", "is not allowed", 4),
    "none": ("mu*None", "is not allowed", 4),
    "true": ("mu*True", "true and false cannot be used", 4),
    "complex number": ("mu*1j", "is not allowed", 4),
    "statement": ("import os", "is not an expression", 1),
    "two expressions": ("mu*I1; mu", "is not an expression", 6),
    "comment": ("mu*(I1 - 3) # ", "# cannot be used", 13),
    "assignment": ("mu = 3", "is not an expression", None),
    "1/0": ("mu*(I1 - 3) + 1/0", "'1/0' divides by zero", 15),
    "exp(1000)": ("mu + exp(1000)", "'exp(1000)' is inf", 6),
    "log(-1)": ("mu*log(-1)", "'log(-1)' is nan", 4),
    "sqrt(-1)": ("mu*sqrt(-1)", "'sqrt(-1)' is nan", 4),
    "tower of powers": ("9^9^9^9", "'9^9^9' is inf", 3),
    "huge literal": ("mu*1" + "0" * 400, "is too large a number", 4),
    "infinite literal": ("mu*1e999", "is too large a number", 4),
    "unicode name": ("mu*\u0399\u0399", "unknown name '\u0399\u0399'", 4),
    "unicode minus": ("mu \u2212 3", "is not an expression", 4),
    "empty": ("", "is empty", None),
    "blank": ("  \n ", "is empty", None),
    "unclosed": ("mu*(I1 - 3", "is not an expression", None),
    "condition": ("mu > I1", "is a condition", None),
    "10,000 factors": ("*".join(["I1"] * 10_000), "has 29999 characters; at most 1000", None),
    "300 factors": ("*".join(["I1"] * 300), "nested too deeply", None),
    "300 brackets": ("(" * 300 + "mu" + ")" * 300, "is not an expression", None),
    "150 negations": ("-" * 150 + "mu", "nested too deeply", None),
    "60 nested functions": ("exp(" * 60 + "mu" + ")" * 60, None, None),
    "many variables": ("*".join(f"sin({a}+{b})" for a in STRAINS for b in ("F11", "F23", "J", "E11", "E23")), "too many", None),
    "large derivatives": ("exp(sin(" * 20 + "I1*I2*J*E11*E12*F11" + "))" * 20, "operations; at most 2000", None),
    "energy of nothing": ("mu*unknown", "unknown name 'unknown'", 4),
    "not defined at rest": ("mu*log(J - 1)", "not defined at rest", None),
}  # fmt: skip


def material_of(text: Any) -> dict[str, Any]:
    return {"name": "formula", "energy": text, "mu": 1.0}


def scene_of(material: dict[str, Any]) -> dict[str, Any]:
    return {"time": {"step": 0.01}, "body": [{"mesh": {"shape": "bar", "cells": [1, 1, 1]}, "material": material}]}


def refusal(attempt: Callable[[], object], error: type[SuppleError]) -> str:
    """The message, which must not take much work."""
    with little_work(), pytest.raises(error) as caught:
        attempt()
    return str(caught.value)


@pytest.mark.parametrize("case", HOSTILE)
def test_a_hostile_formula_is_refused_by_both_doors(case: str) -> None:
    text, sentence, column = HOSTILE[case]
    by_scene = refusal(lambda: read_scene(scene_of(material_of(text)), Path()), SceneError)
    by_python = refusal(lambda: sp.material("own", text, mu=1.0), SuppleError)
    assert by_scene.startswith("body[0].material.energy: ")
    assert by_scene.removeprefix("body[0].material.energy: ") == by_python.removeprefix("own.energy: ")
    if sentence is not None:
        assert sentence in by_scene
    if column is not None:
        assert f"(column {column})" in by_scene
    assert len(by_scene) < 700


@pytest.mark.parametrize("case", [case for case in HOSTILE if case not in ("condition", "not defined at rest")])
def test_the_same_texts_are_refused_as_constants_and_directions(case: str) -> None:
    text = HOSTILE[case][0]
    for key, energy in (("mu", "mu*(I1 - 3)^2"), ("fibre", "mu*(I4 - 1)^2")):
        material = {**material_of(energy), key: text if key == "mu" else [1.0, text, 0.0]}
        found = refusal(lambda material=material: read_scene(scene_of(material), Path()), SceneError)
        assert found.startswith(f"body[0].material.{key}")


@pytest.mark.parametrize("value", [3, 1.5, True, ["mu"], {"text": "mu"}])
def test_an_energy_is_a_text(value: Any) -> None:
    assert "body[0].material.energy: input should be a valid string" in refusal(
        lambda: read_scene(scene_of(material_of(value)), Path()), SceneError
    )
    assert "energy: input should be a valid string" in refusal(lambda: sp.material("own", value, mu=1.0), SuppleError)


@pytest.mark.parametrize("value", [True, [1.0], {"a": 1}, float("nan"), float("inf")])
def test_a_constant_is_a_number_or_a_text(value: Any) -> None:
    material = {**material_of("mu*(I1 - 3)^2"), "mu": value}
    assert "body[0].material.mu: input should be" in refusal(lambda: read_scene(scene_of(material), Path()), SceneError)
    if not isinstance(value, list):  # numbers of each tet
        assert "own.mu: input should be" in refusal(lambda: sp.material("own", "mu*(I1 - 3)^2", mu=value), SuppleError)


@pytest.mark.parametrize("name", ["J", "I1", "F11", "i4", "E12"])
def test_a_constant_cannot_be_called_like_a_variable(name: str) -> None:
    material = {"name": "formula", "energy": f"{name}*(I2 - 3)^2", name: 1.0}
    assert "constants cannot be called" in refusal(lambda: read_scene(scene_of(material), Path()), SceneError)


@pytest.mark.parametrize("name", ["__class__", "a b", "exp", "lambda", "1a", "\u00e9", ""])
def test_constants_with_odd_names_do_nothing(name: str) -> None:
    """A name that no formula can use belongs to no formula."""
    material = {**material_of("mu*(I1 - 3)^2"), name: 1.0}
    assert "does not depend on it" in refusal(lambda: read_scene(scene_of(material), Path()), SceneError)


def test_the_command_ends_with_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "evil.toml"
    file.write_text(
        '[time]\nstep = 0.01\n[[body]]\nmesh = { shape = "bar" }\n'
        'material = { name = "formula", energy = "().__class__.__base__.__subclasses__()", mu = 1 }\n'
    )
    with pytest.raises(SystemExit) as left:
        main(["run", str(file), "--out", str(tmp_path / "out")])
    assert left.value.code == 2
    said = capsys.readouterr()
    assert "body[0].material.energy: unknown function '().__class__.__base__.__subclasses__'" in said.out + said.err
    assert not (tmp_path / "out").exists()


def test_no_code_of_python_is_run() -> None:
    """Audit events of compiling to code, executing and importing do not occur while formulas are read."""
    code = f"""
import sys, supple as sp
from supple.errors import SuppleError
sp.material("own", "mu*(I1 - 3)^2", mu=1.0)
texts = {[text for text, _, _ in HOSTILE.values()]!r}
seen = []
def watch(event, arguments):
    if event in ("exec", "import", "os.system", "open", "subprocess.Popen"):
        seen.append((event, str(arguments)[:80]))
sys.addaudithook(watch)
for text in texts:
    try:
        sp.material("own", text, mu=1.0)
    except SuppleError:
        pass
sys.stdout.write(repr([e for e in seen if e[0] != "import"]))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]"


def test_a_null_byte_is_refused_by_both_doors() -> None:
    """A scene refuses it as text, before it is taken for a formula."""
    text = "mu\x00*I1"
    assert "is '\\x00', which is not allowed in a scene" in refusal(
        lambda: read_scene(scene_of(material_of(text)), Path()), SceneError
    )
    assert "is not an expression" in refusal(lambda: sp.material("own", text, mu=1.0), SuppleError)


@pytest.mark.parametrize("power", ["1000000000", "2^2^2^2", "999"])
def test_powers_of_large_degree_need_no_rule_of_their_size(power: str) -> None:
    """AVF took an exact quadrature rule for them: 32 GiB for 65,536 points, and no end for more."""
    material = sp.material("tower", f"mu/2*(I1 - 3) - mu*log(J) + mu*(I1 - 3)^{power}", mu=1e3)
    assert material.degree is None
    bar = sp.Body(sp.Bar(cells=(1, 1, 1)), material, density=500.0, initial=sp.Initial(stretch=(1.1, 1.0, 1.0)))
    with little_work():
        frames = list(sp.simulate(sp.assemble(sp.World([bar])), sp.AVF(), h=1e-3, steps=2))
    assert abs(frames[-1].ledger.residual) < 1e-9


def test_degrees_that_rules_reach_are_exact() -> None:
    assert sp.material("high", "mu*(I1 - 3)^24", mu=1.0).degree == 48
    assert sp.material("higher", "mu*(I1 - 3)^25", mu=1.0).degree is None
