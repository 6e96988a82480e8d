"""The folder of the extension: manifest, licence, zip, words of materials, and its distance from the rest of the project."""

import ast
import json
import re
import tomllib
import zipfile
from pathlib import Path
from statistics import median

import pytest
from blender_python import ROOT

import supple as sp
from supple.cli import main

SOURCE = ROOT / "integrations" / "blender"
FILES = sorted(SOURCE.rglob("*.py"))
MANIFEST = tomllib.loads((SOURCE / "blender_manifest.toml").read_text(encoding="utf-8"))
SPDX = "# SPDX-License-Identifier: GPL-3.0-or-later"


def test_manifest() -> None:
    """What Blender's extension platform asks of a manifest of schema 1.0.0."""
    for key in (
        "schema_version",
        "id",
        "version",
        "name",
        "tagline",
        "maintainer",
        "type",
        "blender_version_min",
        "license",
    ):
        assert MANIFEST[key], key
    assert (MANIFEST["schema_version"], MANIFEST["type"], MANIFEST["id"]) == ("1.0.0", "add-on", "supple")
    assert re.fullmatch(r"\d+\.\d+\.\d+", MANIFEST["version"])
    assert MANIFEST["blender_version_min"] == "4.2.0"
    assert len(MANIFEST["tagline"]) <= 64
    assert MANIFEST["tagline"][-1].isalnum()
    assert MANIFEST["license"] == ["SPDX:GPL-3.0-or-later"]
    assert set(MANIFEST["tags"]) <= {"Animation", "Physics"}
    assert set(MANIFEST["permissions"]) == {"files", "network"}
    for reason in MANIFEST["permissions"].values():
        assert len(reason) <= 64
        assert reason[-1].isalnum()
    assert set(MANIFEST["platforms"]) <= {"linux-x64", "macos-arm64", "macos-x64"}


def test_version_is_that_of_the_project() -> None:
    assert MANIFEST["version"] == sp.__version__


def test_licence() -> None:
    assert "GNU GENERAL PUBLIC LICENSE" in (SOURCE / "LICENSE").read_text(encoding="utf-8")
    assert [file.name for file in FILES if not file.read_text(encoding="utf-8").startswith(SPDX)] == []


def test_the_project_does_not_import_it() -> None:
    for file in (ROOT / "src").rglob("*.py"):
        text = file.read_text(encoding="utf-8")
        assert not re.search(r"^\s*(import|from) (bpy|mathutils|integrations)\b", text, re.MULTILINE), file


def test_it_does_not_import_the_project() -> None:
    """It starts `supple` as a program; Blender's Python need not have it."""
    for file in FILES:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module] if isinstance(node, ast.ImportFrom) and node.module and not node.level else []
            assert not [name for name in names if name.split(".")[0] in ("supple", "scipy")], file


def test_files_are_small() -> None:
    lengths = [len(file.read_text(encoding="utf-8").splitlines()) for file in FILES]
    assert median(lengths) <= 100
    assert max(lengths) <= 300
    for folder in {file.parent for file in FILES}:
        assert len(list(folder.glob("*.py"))) <= 20


def test_zip(archive: Path) -> None:
    with zipfile.ZipFile(archive) as found:
        names = set(found.namelist())
    assert archive.name == f"supple-{MANIFEST['version']}.zip"
    assert {"blender_manifest.toml", "__init__.py", "LICENSE", "scene/scene_file.py"} <= names
    assert names == {f.relative_to(SOURCE).as_posix() for f in FILES} | {"blender_manifest.toml", "LICENSE"}


def _words() -> dict[str, tuple]:
    """The lists of words.py, which imports nothing."""
    made: dict[str, tuple] = {}
    exec((SOURCE / "words.py").read_text(encoding="utf-8"), made)
    return made


def test_words_are_those_of_supple(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["presets", "--json"])
    rows = {row["word"]: row for row in json.loads(capsys.readouterr().out)}
    words = _words()
    solids = {word for word, row in rows.items() if row["thickness"] is None}
    assert {entry[0] for entry in words["SOLIDS"]} == solids
    assert {entry[0] for entry in words["SHEETS"]} == set(rows) - solids
    assert {entry[0] for entry in words["RODS"]} == set(words["ROD_FIGURES"])
    for word, figures in words["ROD_FIGURES"].items():
        assert figures == tuple(rows[word][key] for key in ("young", "density", "loss"))
    for name in ("SOLIDS", "SHEETS", "PLATES", "RODS"):
        assert [entry[3] for entry in words[name]] == list(range(len(words[name])))
