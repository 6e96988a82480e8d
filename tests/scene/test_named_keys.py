"""Texts name only keys that a scene can have and options that a command has."""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer
from prose.passages import Passage, passages

import supple
from schemas import scene_schema
from supple.cli import EXAMPLES
from supple.cli.app import app
from supple.scene.tables.scene import Scene

ROOT = Path(supple.__file__).parent
PAGES = ROOT.parents[1]
KEY = re.compile(rf"(?<![\w./'-])({'|'.join(Scene.model_fields)})(?:\[\w*\]|\.\d+)?((?:\.[a-z_][a-z_0-9]*)+)\b(?!\()")
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*\b")
FILES = {"py", "md", "svg", "png"}
PLACES = {"body.group"}
"""Names of vertices: a body and one of its groups."""
ELSEWHERE = {"--nthreads", "--help"}
"""Of Dask, and of every program."""


def nodes(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The schema of a value, of its alternatives and of its entries."""
    if "$ref" in schema:
        yield from nodes(scene_schema()["$defs"][schema["$ref"].rsplit("/", 1)[1]])
        return
    yield schema
    inner = [entry for word in ("anyOf", "oneOf", "allOf", "prefixItems") for entry in schema.get(word, ())]
    for entry in (*inner, schema.get("items"), schema.get("additionalProperties")):
        if isinstance(entry, dict):
            yield from nodes(entry)


def is_key(path: str) -> bool:
    found = [scene_schema()]
    for word in path.split("."):
        found = [n["properties"][word] for one in found for n in nodes(one) if word in n.get("properties", ())]
    return bool(found)


def options(command: Any) -> set[str]:
    own = {o for parameter in command.params for o in (*parameter.opts, *parameter.secondary_opts)}
    return own.union(*(options(inner) for inner in getattr(command, "commands", {}).values()))


def wrong_keys(text: str) -> list[str]:
    paths = [f"{table}{rest}" for table, rest in KEY.findall(text)]
    return [p for p in paths if p not in PLACES and p.rsplit(".", 1)[1] not in FILES and not is_key(p)]


@cache
def read(file: Path) -> tuple[Passage, ...]:
    """Passages of a file, which several tests look at."""
    return tuple(passages(file))


def texts(files: Iterable[Path], wanted: re.Pattern[str]) -> Iterator[tuple[str, str]]:
    """Place and text of each passage that may name something."""
    for file in files:
        if wanted.search(file.read_text(encoding="utf-8")):
            for passage in read(file):
                yield f"{file.relative_to(PAGES).as_posix()}:{passage.line}", passage.text


SOURCES = sorted(ROOT.rglob("*.py"))
PROSE = [
    PAGES / "README.md",
    *(
        page for page in sorted((PAGES / "docs").rglob("*.md")) if page.name != "extending.md"
    ),  # it shows Python objects
]


@pytest.mark.parametrize("files", [SOURCES, PROSE], ids=["sources", "pages"])
def test_keys_exist(files: list[Path]) -> None:
    assert {place: wrong for place, text in texts(files, KEY) if (wrong := wrong_keys(text))} == {}


def test_options_exist() -> None:
    known = options(typer.main.get_command(app)) | set(EXAMPLES) | ELSEWHERE
    named = {(place, option) for place, text in texts(SOURCES, OPTION) for option in OPTION.findall(text)}
    assert {(place, option) for place, option in named if option not in known} == set()


def test_a_wrong_key_is_found() -> None:
    assert wrong_keys("reduce contact.dhat or body[0].material.yung, not time.step, body.group or energy.svg") == [
        "contact.dhat",
        "body.material.yung",
    ]
