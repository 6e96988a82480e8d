"""Every mistake in a scene is named at once, with its path, the value found and the allowed values."""

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from supple.errors import SceneError
from supple.scene.text.load import read_scene

Complaints = Callable[[dict[str, Any]], list[str]]


def spoil(plain: dict[str, Any], key: str, value: Any) -> dict[str, Any]:
    """Set a key such as `body.material.young`; body is the first one."""
    table: Any = plain
    *tables, last = key.split(".")
    for name in tables:
        table = table.setdefault(name, {})
        table = table[0] if isinstance(table, list) else table
    table[last] = value
    return plain


@pytest.mark.parametrize(
    ("key", "value", "starts", "has"),
    [
        (
            "integrator.name",
            "newmrak",
            "integrator.name: unknown name 'newmrak'; did you mean 'newmark'? known: ",
            "avf",
        ),
        ("integrator.name", "zzz", "integrator.name: unknown name 'zzz'; known: ", "newmark"),
        ("integrator.betta", 1, "integrator.betta: unknown key; did you mean 'beta'? known: name, ", ""),
        ("body.density", -5, "body[0].density: input should be greater than 0, found -5", ""),
        ("body.density", 0, "body[0].density: input should be greater than 0, found 0", ""),
        ("body.density", True, "body[0].density: input should be a valid number, found true", ""),
        ("body.density", "0.01", 'body[0].density: input should be a valid number, found "0.01"', ""),
        ("body.density", float("nan"), "body[0].density: input should be a finite number, found nan", ""),
        (
            "body.material.poisson",
            0.5,
            "body[0].material.poisson: ",
            "below 0.5, found 0.5; 0.5 would be incompressible",
        ),
        ("body.material.poisson", -1, "body[0].material.poisson: ", "above -1 and below 0.5, found -1"),
        (
            "body.material.name",
            "st_vk",
            "body[0].material.name: unknown name 'st_vk'; did you mean 'stvk'? known: ",
            "arap",
        ),
        ("body.material", "stvk", "body[0].material: missing young, poisson; a stvk material requires", ""),
        ("body.material", 3, "body[0].material: input should be a table, found 3", ""),
        ("body.material", "stvkk", "body[0].material.name: unknown name 'stvkk'; did you mean 'stvk'? known: ", ""),
        ("body.material", {}, "body[0].material.name: missing, but required; known: ", "stvk"),
        ("time.step", 0, "time.step: input should be greater than 0 seconds, found 0", ""),
        ("time.step", "-1/30", "time.step: input should be greater than 0 seconds, found -0.0333333", ""),
        ("time.step", "1/0", "time.step: ", "a fraction such as \"1/30\", found '1/0'"),
        ("time.step", "0.01", "time.step: ", "a fraction such as \"1/30\", found '0.01'"),
        ("time.step", True, "time.step: input should be a valid number, found true", ""),
        ("time.duration", -1, "time.duration: input should be greater than 0 seconds, found -1", ""),
        ("time.stepp", 1, "time.stepp: unknown key; did you mean 'step'? known: step, duration", ""),
        ("titel", "x", "titel: unknown key; did you mean 'title'? known: title, description, world", ""),
        ("world.up", "w", 'world.up: unknown value "w"; known: x, y, z', ""),
        ("world.gravity", [0, 1], "world.gravity: input should have at least 3 entries, found 2: [0, 1]", ""),
        ("world.gravity", [0, 1, "2"], 'world.gravity[2]: input should be a valid number, found "2"', ""),
        ("world.gravity", "9", 'world.gravity: input should be a valid number, found "9"', ""),
        (
            "solver.backend",
            "pardisso",
            "solver.backend: unknown value \"pardisso\"; did you mean 'pardiso'?",
            "superlu",
        ),
        ("solver.threads", 1.5, "solver.threads: input should be a whole number, found 1.5", ""),
        ("record", {"every": 2, "fps": 24}, "record: give either every or fps, found every 2 and fps 24", ""),
        ("record.every", 0, "record.every: input should be greater than or equal to 1, found 0", ""),
        ("body", [], "body: input should have at least 1 entries, found 0: []", ""),
        ("body", 3, "body: input should be a list, found 3", ""),
        (
            "body.mesh.shape",
            "baar",
            "body[0].mesh.shape: unknown shape 'baar'; did you mean 'bar'? known: ball, bar",
            "",
        ),
        ("body.mesh.cels", 1, "body[0].mesh.cels: unknown key; did you mean 'cells'? known: shape, cells, size", ""),
        ("body.mesh.size", [1, -1, 1], "body[0].mesh.size[1]: input should be greater than 0, found -1", ""),
        ("body.mesh.file", "a.msh", "body[0].mesh: give either shape or file, found both", ""),
        ("body.mesh", {}, "body[0].mesh.shape: missing, but required; known: ball, bar", ""),
        ("body.mesh", {"file": 3}, "body[0].mesh.file: input should be a valid string, found 3", ""),
        ("body.pin", 3, "body[0].pin: input should be a name or a list of names, found 3", ""),
        ("body.name", 3, "body[0].name: input should be a valid string, found 3", ""),
        ("body.groups", {"a": {}}, "body[0].groups.a: a group needs exactly one of box, sphere, plane", "none of them"),
        ("body.groups", {"a": {"bx": 1}}, "body[0].groups.a.bx: unknown key; did you mean 'box'?", ""),
        ("body.groups", {"a": {"expression": "X.y"}}, "body[0].groups.a.expression: 'X.y' is not allowed", ""),
        ("body.groups", {"a": {"box": [[1, 0, 0], [0, 1, 1]]}}, "body[0].groups.a: box must go from its lower", ""),
        (
            "body.initial",
            {"position": ["X", "Y", "q"]},
            "body[0].initial.position[2]: unknown name 'q'; known: X, Y",
            "",
        ),
        ("body.initial", {"velocity": [0, 0, True]}, "body[0].initial.velocity[2]: ", "found true"),
        ("body.initial", {"stretch": [1, 0, 1]}, "body[0].initial: stretch factors must not be 0", ""),
        ("world.gravity", "", "world.gravity: input should be a number, an expression of t", 'found ""'),
        ("body.mesh.shape", True, "body[0].mesh.shape: input should be one of the names, found true; known: ball", ""),
        (
            "integrator.name",
            {"x": 1},
            "integrator.name: input should be one of the names, found { x = 1 }; known: ",
            "",
        ),
        ("body.initial", {"": 1}, 'body[0].initial."": unknown key; known: ', ""),
        ("body", {"a b": 1}, 'body: input should be a list, found { "a b" = 1 }; write [[body]] instead of [body]', ""),
        (
            "contact",
            [{}],
            "contact: input should be a table, found [{}]; write [contact] instead of [[contact]], once",
            "",
        ),
        ("expect", [{}], "expect: input should be a table, found [{}]; write [expect.NAME] instead of [[expect]]", ""),
        ("plugins", {}, "plugins: input should be a list, found {}", ""),
        ("damping", {}, "damping: input should be a list, found {}; write [[damping]] instead of [damping]", ""),
        ("body.motion", {}, "body[0].motion: input should be a list, found {}; put the table into brackets", ""),
        (
            "body.mesh",
            [{}],
            "body[0].mesh: input should be a table, found [{}]; write { ... } without the brackets",
            "",
        ),
        ("body.groups", [{}], "body[0].groups: input should be a table, found [{}]; write { NAME = { ... } }", ""),
    ],
)
def test_one_mistake(
    plain: dict[str, Any], complaints: Complaints, key: str, value: Any, starts: str, has: str
) -> None:
    found = complaints(spoil(plain, key, value))
    assert len(found) == 1
    assert found[0].startswith(starts)
    assert has in found[0]


def test_no_brackets_are_named_where_no_tables_belong(plain: dict[str, Any], complaints: Complaints) -> None:
    for key in ("plugins", "body.pin"):
        found = complaints(spoil(plain, key, {}))[0]
        assert not any(word in found for word in ("[[", "brackets"))


@pytest.mark.parametrize(
    ("rotation", "messages"),
    [
        ({"axis": [1, 0, 0], "angle": 1, "x": 2}, [".x: unknown key; known: axis, angle"]),
        ({"axis": [1, 0, 0]}, [".angle: missing, but required"]),
        ({"axis": "a", "angle": 1}, ['.axis: input should be a list, found "a"']),
        ([1, "a", 0], ['[1]: input should be a valid number, found "a"']),
        ("a", [': input should be a list or a table, found "a"']),
    ],
)
def test_of_several_forms_the_one_found_is_judged(
    plain: dict[str, Any], complaints: Complaints, rotation: Any, messages: list[str]
) -> None:
    found = complaints(
        spoil(plain, "body.motion", [{"group": "left", "keyframes": [{"time": 0.0, "rotation": rotation}]}])
    )
    assert found == [f"body[0].motion[0].keyframes[0].rotation{message}" for message in messages]


def test_faulty_entries_of_a_list_are_counted(plain: dict[str, Any], complaints: Complaints) -> None:
    found = complaints(spoil(plain, "world.gravity", [[0, 1, 2]]))
    assert found[-1] == "world.gravity: input should have at least 3 entries, found 1: [[0, 1, 2]]"


def test_all_at_once(complaints: Complaints) -> None:
    bad = """
        [time]
        duration = -1
        stepp = 0.01
        [integrator]
        name = "newmrak"
        [[body]]
        mesh = { shape = "bar" }
        material = { name = "st_vk" }
        [[body]]
        density = -1
        mesh = { shape = "bar", cels = [1, 1, 1] }
        material = { name = "neo-hookean", young = "soft", poisson = 0.5 }
    """
    starts = [
        "time.step: missing, but required",
        "time.duration: input should be greater than 0",
        "time.stepp: unknown key; did you mean 'step'?",
        "integrator.name: unknown name 'newmrak'; did you mean 'newmark'?",
        "body[0].material.name: unknown name 'st_vk'; did you mean 'stvk'?",
        "body[1].mesh.cels: unknown key; did you mean 'cells'?",
        "body[1].material.young: input should be a valid number, or an expression of X, Y, Z and t: unknown name 'soft'",
        "body[1].material.poisson: input should be above -1 and below 0.5, found 0.5",
        "body[1].density: input should be greater than 0, found -1",
    ]
    found = complaints(tomllib.loads(bad))
    assert len(found) == len(starts)
    for line, start in zip(found, starts, strict=True):
        assert line.startswith(start)


@pytest.mark.parametrize(
    ("material", "message"),
    [
        ({"name": "stvk"}, "missing young, poisson; a stvk material requires young and poisson, or mu and lam"),
        ({"name": "stvk", "young": 1}, "missing poisson; a stvk"),
        ({"name": "stvk", "mu": 1}, "missing lam; a stvk"),
        (
            {"name": "mooney-rivlin", "c1": 1},
            "missing c2, bulk; a mooney-rivlin material requires young and poisson, or c1",
        ),
        (
            {"name": "stvk", "mu": 1, "lam": 1, "young": 1},
            "give either young and poisson, or mu and lam, found young, mu, lam",
        ),
    ],
)
def test_materials_need_one_whole_set(
    plain: dict[str, Any], complaints: Complaints, material: dict[str, Any], message: str
) -> None:
    (found,) = complaints(spoil(plain, "body.material", material))
    assert found.startswith(f"body[0].material: {message}")


def test_spring_faults_are_said_once(plain: dict[str, Any], complaints: Complaints) -> None:
    springs = {"name": "stvk-spring", "stretch": -1}
    (found,) = complaints(spoil(plain, "body.material", springs))
    assert found == "body[0].material.stretch: input should be greater than 0, found -1"


def test_position_and_words_do_not_mix(plain: dict[str, Any], complaints: Complaints) -> None:
    (found,) = complaints(spoil(plain, "body.initial", {"position": ["X", "Y", "Z"], "translate": [0, 1, 0]}))
    assert found.startswith("body[0].initial: position cannot be combined with translate")


@pytest.mark.parametrize(
    ("motion", "message"),
    [
        ({}, "needs at least one of translate, rotate, keyframes, file, found none of them"),
        ({"translate": {"velocity": [1, 0, 0]}, "start": 2, "stop": 1}, "stop must be later than start"),
        ({"keyframes": [{"time": 1, "offset": [0, 0, 0]}, {"time": 1, "offset": [1, 0, 0]}]}, "times must increase"),
        ({"keyframes": [{"time": 1, "offset": [0, 0, 0]}], "stop": 2}, "keyframes have their own times"),
        ({"rotate": {"axis": [0, 0, 0], "centre": [0, 0, 0], "rate": 1}}, "direction must not be zero"),
        ({"keyframes": [{"time": 1}]}, "a keyframe needs at least one of offset, rotation, scale, found none at 1 s"),
        ({"keyframes": [{"time": 1, "scale": 0}]}, "input should be greater than 0, found 0"),
        ({"keyframes": [{"time": 1, "scale": [1, 1, -1]}]}, "input should be greater than 0, found -1"),
        ({"keyframes": [{"time": 1, "rotation": [1, 2]}]}, "input should have at least 3 entries, found 2"),
        ({"keyframes": [{"time": 1, "rotation": {"axis": [0, 0, 0], "angle": 9}}]}, "direction must not be zero"),
        (
            {"keyframes": [{"time": 1, "offset": [0, 0, 0]}], "pivot": [0, 0, 0]},
            "pivot is for keyframes with a rotation",
        ),
        (
            {"keyframes": [{"time": 0, "rotation": [0, 0, 0]}, {"time": 1, "rotation": [0, 20, 400]}]},
            "keyframes[1].rotation: between two keyframes only a rotation about one axis may exceed 180 degrees, "
            "found 400 degrees about z and a rotation about another axis; put a keyframe in between",
        ),
        (
            {
                "keyframes": [
                    {"time": 0, "rotation": {"axis": [0, 0, 1], "angle": 10}},
                    {"time": 1, "rotation": {"axis": [0, 1, 0], "angle": 720}},
                ]
            },
            "found 720 degrees about another axis",
        ),
    ],
)
def test_motion(plain: dict[str, Any], complaints: Complaints, motion: dict[str, Any], message: str) -> None:
    (found,) = complaints(spoil(plain, "body.motion", [{"group": "right", **motion}]))
    assert found.startswith("body[0].motion[0]")
    assert message in found


def test_bodies_have_different_names(plain: dict[str, Any], complaints: Complaints) -> None:
    plain["body"] *= 2
    plain["body"] = [dict(body, name="bar") for body in plain["body"]]
    assert complaints(plain) == ["body: names must differ, found 'bar' more than once"]


def test_density_and_mass(plain: dict[str, Any], complaints: Complaints) -> None:
    plain["body"][0] |= {"density": 900, "mass": 2}
    assert complaints(plain) == ["body[0]: give either density or mass, found density 900 and mass 2"]


def test_long_values_are_cut(plain: dict[str, Any], complaints: Complaints) -> None:
    (found,) = complaints(spoil(plain, "time.step", list(range(100))))
    assert len(found) < 150
    assert found.endswith("...")


def test_messages_can_be_read(plain: dict[str, Any], tmp_path: Path) -> None:
    plain["body"][0]["mesh"]["shape"] = "x" * 5000
    with pytest.raises(SceneError) as caught:
        read_scene(plain, tmp_path)
    assert len(str(caught.value)) < 500
    plain["body"] = [{"mesh": {"file": "two\nlines"}}] * 300
    with pytest.raises(SceneError) as caught:
        read_scene(plain, tmp_path)
    lines = str(caught.value).splitlines()
    assert len(lines) == 21
    assert lines[-2] == f"... {len(caught.value.problems) - 20} more problems ..."
    assert lines[-1] == caught.value.problems[-1]


def test_names_of_files_stay_on_one_line(plain: dict[str, Any], complaints: Complaints) -> None:
    plain["body"][0]["mesh"] = {"file": "two\nlines"}
    assert "\n" not in complaints(plain)[0]


@pytest.mark.parametrize(
    ("check", "message"),
    [
        ({}, "a check needs exactly one of column, work, swing"),
        ({"column": "totl", "below": 1}, "did you mean 'total'?"),
        ({"column": "total"}, "give either value with a tolerance, or above and below"),
        ({"column": "total", "value": 1, "below": 2}, "give either value with a tolerance"),
        ({"column": "total", "value": 1}, "a value needs exactly one of relative, absolute"),
        ({"column": "total", "at": "end", "at_step": 2, "below": 1}, "either at or at_step"),
        ({"swing": {"group": "tip"}, "at": "end", "below": 1}, "belong to a column"),
        ({"column": "total", "below": 1, "relative": 0.1}, "belong to a value"),
    ],
)
def test_checks(plain: dict[str, Any], complaints: Complaints, check: dict[str, Any], message: str) -> None:
    (found,) = complaints(spoil(plain, "expect", {"energy": check}))
    assert found.startswith("expect.energy")
    assert message in found
