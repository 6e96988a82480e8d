"""An integrator inside another one: a bare name or a table in the scene file, and the errors of both."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from schemas import scene_schema
from supple.integrators.explicit.symplectic import Verlet
from supple.integrators.implicit.avf import AVF
from supple.integrators.implicit.bdf2 import BDF2
from supple.integrators.implicit.midpoint import Midpoint
from supple.integrators.method import Method
from supple.integrators.yoshida import Yoshida
from supple.scene.tables.scene import Scene
from supple.scene.text.load import dump_scene, parse_toml, read_scene, scene_hash
from supple.scene.text.problems import problems
from supple.scene.text.registry_models import holds_method, options_model

Complaints = Callable[[dict[str, Any]], list[str]]


def composed(plain: dict[str, Any], **options: Any) -> dict[str, Any]:
    return {**plain, "integrator": {"name": "yoshida", **options}}


@pytest.mark.parametrize(
    ("options", "inside"),
    [
        ({}, Verlet()),
        ({"of": "avf"}, AVF()),
        ({"of": {"name": "avf"}}, AVF()),
        ({"of": {"name": "avf", "rule": "gauss-3"}}, AVF(rule="gauss-3")),
    ],
)
def test_both_ways_to_write_it(plain: dict[str, Any], tmp_path: Path, options: dict[str, Any], inside: Method) -> None:
    scene = read_scene(composed(plain, **options), tmp_path)
    assert scene.integrator.make() == Yoshida(inside)
    (tmp_path / "again.toml").write_text(dump_scene(scene), encoding="utf-8")
    again = read_scene(parse_toml(tmp_path / "again.toml"), tmp_path)
    assert again == scene
    assert again.integrator.make() == Yoshida(inside)
    assert scene_hash(again) == scene_hash(scene)


def test_another_method_inside_is_another_scene(plain: dict[str, Any], tmp_path: Path) -> None:
    scenes = [read_scene(composed(plain, of=of), tmp_path) for of in ("avf", "midpoint")]
    assert scene_hash(scenes[0]) != scene_hash(scenes[1])


@pytest.mark.parametrize(
    ("settings", "inside"),
    [
        (["integrator.of=midpoint"], Midpoint()),
        (["integrator.of.name=midpoint"], Midpoint()),
        (["integrator.of.rule=gauss-3", "integrator.of.name=avf"], AVF(rule="gauss-3")),
        (['integrator.of={ name = "avf", rule = "gauss-3" }'], AVF(rule="gauss-3")),
    ],
)
def test_set(plain: dict[str, Any], tmp_path: Path, settings: list[str], inside: Method) -> None:
    scene = read_scene(plain, tmp_path, "", [*settings, "integrator.name=yoshida"])
    assert scene.integrator.make() == Yoshida(inside)


@pytest.mark.parametrize(
    ("of", "starts", "has"),
    [
        ("afv", "integrator.of.name: unknown name 'afv'; did you mean 'avf'? known: adaptive-explicit, ", "verlet"),
        ({"name": "midpiont"}, "integrator.of.name: unknown name 'midpiont'; did you mean 'midpoint'?", "avf"),
        ("yoshida", "integrator.of.name: unknown name 'yoshida'; known: ", "verlet"),
        ({}, "integrator.of.name: missing, but required; known: adaptive-explicit, ", "verlet"),
        ({"name": "avf", "rul": "auto"}, "integrator.of.rul: unknown key; did you mean 'rule'? known: name, rule", ""),
        ({"name": "avf", "tolerance": -1}, "integrator.of.tolerance: input should be greater than 0, found -1", ""),
        ({"name": "avf", "max_points": 2.5}, "integrator.of.max_points: input should be a whole number", ""),
        (3, "integrator.of: input should be a table, found 3", ""),
        (
            "bdf2",
            "integrator.of: found 'bdf2', which is not a symmetric method of order 2; known: adaptive-reversible, ",
            "verlet",
        ),
    ],
)
def test_mistakes(plain: dict[str, Any], complaints: Complaints, of: Any, starts: str, has: str) -> None:
    (found,) = complaints(composed(plain, of=of))
    assert found.startswith(starts)
    assert has in found


def test_the_key_itself(plain: dict[str, Any], complaints: Complaints) -> None:
    assert complaints(composed(plain, off="avf")) == [
        "integrator.off: unknown key; did you mean 'of'? known: name, of, budget, adaptive"
    ]


def test_the_schema_takes_names_and_tables() -> None:
    schema = scene_schema()
    names, tables = schema["$defs"]["YoshidaIntegrator"]["properties"]["of"]["anyOf"]
    assert {"avf", "midpoint", "verlet"} <= set(names["enum"])
    assert not {"yoshida"} & set(names["enum"])
    assert set(tables["discriminator"]["mapping"]) == set(names["enum"])
    assert tables["discriminator"]["mapping"]["avf"] == "#/$defs/AVF"
    # the integrator of the scene has a budget beside its options, one inside another has not
    outer = schema["properties"]["integrator"]["discriminator"]["mapping"]
    assert outer["avf"] == "#/$defs/AVFIntegrator"
    inside, outside = (set(schema["$defs"][name]["properties"]) for name in ("AVF", "AVFIntegrator"))
    assert outside - inside == {"budget", "adaptive"}
    assert schema["$defs"]["YoshidaIntegrator"]["properties"]["of"]["default"] == {"name": "verlet", "substeps": 1}


@dataclass(frozen=True)
class Watcher(Method):
    """Any class with a field of this type is a wrapper."""

    inside: Method
    """What is watched."""
    other: Method = field(default_factory=lambda: AVF(rule="simpson"))
    often: int = 1


def test_no_name_is_special() -> None:
    assert holds_method(Watcher)
    assert holds_method(Yoshida)
    assert not holds_method(BDF2)
    model = options_model(Watcher)
    made = model.model_validate({"inside": "bdf2"}).make()
    assert made == Watcher(BDF2(), AVF(rule="simpson"), 1)
    assert model.model_json_schema()["properties"]["inside"]["description"] == "What is watched."
    with pytest.raises(ValidationError) as caught:
        model.model_validate({"other": "yoshida", "often": 1.5})
    found = problems(caught.value, model)
    assert [line.partition(":")[0] for line in found] == ["inside", "other.name", "often"]


def test_a_scene_runs_with_it(plain: dict[str, Any], tmp_path: Path) -> None:
    from supple.loop import simulate

    scene: Scene = read_scene(composed(plain, of="avf"), tmp_path)
    body = scene.make().assemble()
    *_, last = simulate(body.system, scene.integrator.make(), body.state, scene.time.step, 2)
    assert abs(last.ledger.residual) <= 1e-11 * last.ledger.energies.scale
