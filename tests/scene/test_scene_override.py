"""`--set KEY=VALUE` changes the scene before it is checked."""

import re
from pathlib import Path
from typing import Any

import pytest

from supple.errors import SceneError
from supple.scene.text.load import read_scene
from supple.scene.text.override import apply, parse


@pytest.mark.parametrize(
    ("text", "parts", "value"),
    [
        ("time.step=0.01", ("time", "step"), 0.01),
        ("time.step = 1/60", ("time", "step"), "1/60"),
        ("integrator.name=bdf2", ("integrator", "name"), "bdf2"),
        ('title="a = b"', ("title",), "a = b"),
        ("title=a = b", ("title",), "a = b"),
        ("title=", ("title",), ""),
        ("body[0].density=900", ("body", 0, "density"), 900),
        ("body.0.density=900", ("body", 0, "density"), 900),
        ("body[0].motion[1].start=1", ("body", 0, "motion", 1, "start"), 1),
        ("world.gravity=[0, 0, -9.81]", ("world", "gravity"), [0, 0, -9.81]),
        ("record={ fps = 24 }", ("record",), {"fps": 24}),
        ("title=1\nbody=2", ("title",), "1\nbody=2"),
    ],
)
def test_parse(text: str, parts: tuple[str | int, ...], value: Any) -> None:
    override = parse(text)
    assert override.parts == parts
    assert override.value == value
    assert type(override.value) is type(value)


@pytest.mark.parametrize(
    "text", ["time.step", "=3", "time..step=3", ".x=1", "body[x].density=1", "[0]=1", "body[0=1", ""]
)
def test_not_a_key(text: str) -> None:
    with pytest.raises(SceneError, match=re.escape(f"--set {text}: give KEY=VALUE")):
        parse(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "body[3].density=900",
            "--set body[3].density=900: body[3] does not exist; body has 1 entries, numbered from 0",
        ),
        ("body.density=900", "body is a list; select an entry, such as body[0].density"),
        ("time.step.x=3", "time.step is '1/30', which has no 'x' inside"),
        ("time.stp=3", "time.stp: unknown key; did you mean 'step'?"),
        ("tiem.step=3", "tiem: unknown key; did you mean 'time'?"),
        ("time.step=0", "time.step: input should be greater than 0 seconds, found 0"),
        ("time.step=true", "time.step: input should be a valid number, found true"),
        ("integrator.name=newmrak", "integrator.name: unknown name 'newmrak'; did you mean 'newmark'?"),
        ("body[0].material.poisson=0.5", "body[0].material.poisson: input should be above -1 and below 0.5, found 0.5"),
    ],
)
def test_bad_overrides(plain: dict[str, Any], tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(SceneError) as caught:
        read_scene(plain, tmp_path, "", [text])
    assert message in str(caught.value)


def test_set_and_leave_the_rest(plain: dict[str, Any], tmp_path: Path) -> None:
    scene = read_scene(plain, tmp_path, "", ["time.step=1/60", "body.0.density=900", "solver.threads=1"])
    assert scene.time.step == 1 / 60
    assert scene.time.duration == 2.0
    assert scene.body[0].density == 900.0
    assert scene.solver.make().threads == 1
    assert plain["time"]["step"] == "1/30"


def test_another_integrator_drops_the_old_options(plain: dict[str, Any], tmp_path: Path) -> None:
    assert plain["integrator"] == {"name": "newmark", "beta": 0.3}
    scene = read_scene(plain, tmp_path, "", ["integrator.name=bdf2"])
    assert scene.integrator.made_from.name == "bdf2"


def test_the_same_integrator_keeps_its_options(plain: dict[str, Any]) -> None:
    assert apply(plain, ["integrator.name=newmark"])["integrator"]["beta"] == 0.3


@pytest.mark.parametrize("flip", [False, True])
def test_order_does_not_matter(plain: dict[str, Any], flip: bool) -> None:
    plain["integrator"] = {"name": "avf", "rule": "simpson"}
    overrides = ["integrator.name=newmark", "integrator.beta=0.3"]
    changed = apply(plain, overrides[::-1] if flip else overrides)
    assert changed["integrator"] == {"name": "newmark", "beta": 0.3}


@pytest.mark.parametrize(
    ("of", "overrides", "inside"),
    [
        ({"name": "avf", "rule": "simpson"}, ["integrator.of.name=midpoint"], {"name": "midpoint"}),
        ({"name": "avf", "rule": "simpson"}, ["integrator.of.name=avf"], {"name": "avf", "rule": "simpson"}),
        ({"name": "avf", "rule": "simpson"}, ["integrator.of=midpoint"], "midpoint"),
        ("avf", ["integrator.of.name=avf"], {"name": "avf"}),
        ("avf", ["integrator.of.name=midpoint"], {"name": "midpoint"}),
        ("avf", ["integrator.of.rule=gauss-3"], {"name": "avf", "rule": "gauss-3"}),
        ("verlet", ["integrator.of.rule=gauss-3", "integrator.of=avf"], {"name": "avf", "rule": "gauss-3"}),
        ("midpoint", ["integrator.of.rule=gauss-3", "integrator.of.name=avf"], {"name": "avf", "rule": "gauss-3"}),
    ],
)
@pytest.mark.parametrize("flip", [False, True])
def test_an_integrator_inside_another_one(
    plain: dict[str, Any], tmp_path: Path, of: Any, overrides: list[str], inside: Any, flip: bool
) -> None:
    plain["integrator"] = {"name": "yoshida", "of": of}
    overrides = overrides[::-1] if flip else overrides
    assert apply(plain, overrides)["integrator"] == {"name": "yoshida", "of": inside}
    assert plain["integrator"]["of"] == of
    assert read_scene(plain, tmp_path, "", overrides).integrator.made_from.name == "yoshida"


@pytest.mark.parametrize("flip", [False, True])
def test_the_outer_integrator_is_chosen_before_the_inner_one(plain: dict[str, Any], flip: bool) -> None:
    overrides = ["integrator.name=yoshida", "integrator.of.name=avf", "integrator.of.rule=gauss-3"]
    changed = apply(plain, overrides[::-1] if flip else overrides)
    assert changed["integrator"] == {"name": "yoshida", "of": {"name": "avf", "rule": "gauss-3"}}


def test_only_integrators_have_bare_names(plain: dict[str, Any]) -> None:
    plain["integrator"] = {"name": "avf", "rule": "simpson"}
    with pytest.raises(SceneError, match=re.escape("integrator.rule is 'simpson', which has no 'name' inside")):
        apply(plain, ["integrator.rule.name=gauss-3"])


def test_another_material_keeps_young_and_poisson(plain: dict[str, Any]) -> None:
    changed = apply(plain, ["body[0].material.name=neo-hookean"])
    assert changed["body"][0]["material"] == {"name": "neo-hookean", "young": 1e5, "poisson": 0.3}
    plain["body"][0]["material"] = {"name": "stvk", "mu": 1, "lam": 2}
    changed = apply(plain, ["body[0].material.name=mooney-rivlin"])
    assert changed["body"][0]["material"] == {"name": "mooney-rivlin"}


def test_another_mesh_drops_the_old_options(plain: dict[str, Any]) -> None:
    assert apply(plain, ["body[0].mesh.shape=ball"])["body"][0]["mesh"] == {"shape": "ball"}
    assert apply(plain, ["body[0].mesh.file=a.msh"])["body"][0]["mesh"] == {"file": "a.msh"}
