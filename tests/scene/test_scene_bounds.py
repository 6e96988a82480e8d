"""Scenes as text: depth, size and characters are bounded before anybody looks at their meaning."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from supple.errors import SceneError
from supple.scene.text.bounds import DEEPEST, LONGEST_FILE
from supple.scene.text.load import load_scene, read_scene, scene_hash

Complaints = Callable[[dict[str, Any]], list[str]]
DEEP = 5000


def written(folder: Path, text: str) -> Path:
    file = folder / "deep.toml"
    file.write_text(text, encoding="utf-8")
    return file


@pytest.mark.parametrize(
    "text",
    [
        f"a = {'[' * DEEP}{']' * DEEP}",
        "a = " + "{ a = " * DEEP + "1" + " }" * DEEP,
        f"{'.'.join('a' * DEEP)} = 1",
        f"[{'.'.join('a' * DEEP)}]",
        f"a = {'[' * (DEEPEST + 1)}{']' * (DEEPEST + 1)}",
    ],
    ids=["lists", "tables", "dotted keys", "headings", "a little too deep"],
)
def test_deep_nesting_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(SceneError, match="tables and lists are nested more than 32 levels deep"):
        load_scene(written(tmp_path, text))


@pytest.mark.parametrize("override", [f"title={'[' * DEEP}", f"{'.'.join('a' * DEEP)}=1", f"x={'[' * 40}{']' * 40}"])
def test_deep_overrides_are_refused(override: str) -> None:
    with pytest.raises(SceneError, match="nested more than 32 levels deep"):
        load_scene("cantilever", [override])


@pytest.mark.parametrize("number", ["9" * 5000, "-" + "9" * 5000, "0x" + "f" * 9000, "0b" + "1" * 2000])
def test_numbers_of_thousands_of_digits_are_refused(tmp_path: Path, number: str) -> None:
    # Python refuses to convert them to decimal digits, in either direction, by a plain ValueError
    text = f'[time]\nstep = {number}\n[[body]]\nmesh = {{ shape = "cube" }}\nmaterial = "rubber"\n'
    with pytest.raises(
        SceneError, match=r"more than 4,300 digits|time\.step: input should be a whole number of at most 64 bits"
    ):
        load_scene(written(tmp_path, text))
    with pytest.raises(SceneError, match=r"time\.step") as caught:
        load_scene("cantilever", [f"time.step={number}"])
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize("key", [f"body[{'9' * 5000}].density", f"body.{'9' * 5000}.density"])
def test_endless_indices_are_refused(key: str) -> None:
    with pytest.raises(SceneError, match="--set"):
        load_scene("cantilever", [f"{key}=1"])


def test_deep_data_of_python_is_refused(plain: dict[str, Any], complaints: Complaints) -> None:
    deep: list[Any] = []
    for _ in range(DEEP):
        deep = [deep]
    assert "nested more than 32 levels deep" in complaints({**plain, "title": deep})[0]


def test_large_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SceneError, match="a scene has at most 8 MiB"):
        load_scene(written(tmp_path, "#" * (LONGEST_FILE + 1)))


def test_long_dotted_keys_are_refused_before_they_are_read(tmp_path: Path) -> None:
    # the reader of the standard library takes a time that grows with the square of the length: hours for this one
    with pytest.raises(SceneError, match="deep"):
        load_scene(written(tmp_path, f"{'.'.join('a' * 1_000_000)} = 1"))


@pytest.mark.parametrize("bad", ["a\x00b", "a\x1bb", "\x7f", "\ud800"])
def test_characters_that_no_file_holds_are_refused(plain: dict[str, Any], complaints: Complaints, bad: str) -> None:
    assert complaints({**plain, "title": bad})[0].startswith("title: character")
    assert "not allowed in a scene" in complaints({**plain, bad: 1})[0]
    with pytest.raises(SceneError, match="--set: character"):
        load_scene("cantilever", [f"title={bad}"])


def test_names_become_names_of_files(plain: dict[str, Any], complaints: Complaints) -> None:
    plain["body"][0]["name"] = "../../x"
    assert complaints(plain)[0].startswith("body[0].name: a name has printable characters, no slash")


def test_numbers_beyond_any_quantity_are_refused_with_their_key(plain: dict[str, Any], complaints: Complaints) -> None:
    body = plain["body"][0]
    assert complaints({**plain, "body": [{**body, "density": 1e300}]}) == [
        "body[0].density: input should be 0, or from 1e-60 to 1e+60 in size, found 1e+300"
    ]
    body["mesh"]["cells"][0] = 2**70
    assert complaints(plain) == [
        "body[0].mesh.cells[0]: input should be a whole number of at most 64 bits, found a larger one"
    ]


@pytest.mark.parametrize(
    ("setting", "refusal"),
    [
        ("time.step=1e-14", "time: 3 s in steps of 1e-14 s are 3e+14 steps"),
        ("time.step=1e-9", "time: about 3e+09 steps, but limits.steps allows 100,000,000"),
        ("record.fps=1e9", "record: about 3e+09 frames in this time.duration, but limits.frames allows 1,000,000"),
        (
            "time.speed=1e-9",
            "record: about 1.8e+11 frames in this time.duration at this time.speed, but limits.frames allows",
        ),
        ("limits.vertices=0", "limits.vertices: input should be greater than or equal to 1"),
    ],
)
def test_long_runs_are_refused(setting: str, refusal: str) -> None:
    with pytest.raises(SceneError) as caught:
        load_scene("cantilever", [setting])
    assert str(caught.value).startswith(refusal)


def test_limits_are_raised_in_the_scene() -> None:
    with pytest.raises(SceneError, match=r"body\[0\].mesh: about 81 vertices, but limits.vertices allows 3"):
        load_scene("cantilever", ["limits.vertices=3"]).make().assemble()
    load_scene("cantilever", ["limits.vertices=81"]).make().assemble()
    with pytest.raises(SceneError, match=r"limits.recording allows"):
        load_scene("cantilever", ["limits.recording=1e-9"]).make().assemble()


def test_limits_are_no_physics(plain: dict[str, Any], tmp_path: Path) -> None:
    other = {**plain, "limits": {"vertices": 1000, "memory": 1.0}}
    assert scene_hash(read_scene(plain, tmp_path)) == scene_hash(read_scene(other, tmp_path))


@pytest.mark.parametrize("value", ["{}", "[]", "1", "[[1]]"])
def test_names_of_tables_that_are_no_words_are_refused(value: str) -> None:
    with pytest.raises(SceneError, match=r"body\[0\].material"):
        load_scene("cantilever", [f"body[0].material.name={value}"])


def test_moduli_of_blatz_ko_are_numbers(plain: dict[str, Any], complaints: Complaints) -> None:
    plain["body"][0]["material"] = {"name": "blatz-ko", "young": "1e5 + X", "poisson": "0.3 + 0 * X"}
    assert "young and poisson must be numbers" in complaints(plain)[0]
