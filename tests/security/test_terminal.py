"""Texts of strangers do not control the terminal: escapes, bells, carriage returns and marks of direction are shown as codes."""

import ast
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import supple
from supple.cli import main
from supple.escaping import visible

CLI = Path(supple.__file__).resolve().parent / "cli"
EVIL = "\x1b[2J\x1b]0;title\x07red\r\x9b5m\u202eleft\u2066\u200b\U000e0041"
CONSOLES = {"analyse/output.py", "results/sweep.py", "scenes.py", "warm.py", "output.py"}
"""Files that make a console: of texts that were made visible before, or of our own."""


def shown(capsys: pytest.CaptureFixture[str]) -> str:
    """All that was printed; no character of it is hidden."""
    said = "".join(capsys.readouterr())
    assert said == visible(said)
    return said


def clip(folder: Path) -> Path:
    np.savez(folder / "a.npz", **{f"{EVIL}.positions": np.zeros((2, 3, 3))})
    return folder / "a.npz"


def mesh(folder: Path) -> Path:
    text = f"o {EVIL}\ng {EVIL}\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"
    (folder / "a.obj").write_text(text.replace("\r", ""), encoding="utf-8")
    return folder / "a.obj"


def gltf(folder: Path) -> Path:
    document = {"asset": {"version": "2.0"}, "extensionsRequired": [EVIL]}
    (folder / "a.gltf").write_text(json.dumps(document))
    return folder / "a.gltf"


@pytest.mark.parametrize("make", [clip, mesh, gltf])
@pytest.mark.parametrize("words", [["info"], ["info", "--json"], ["mesh"]])
def test_names_in_files_are_shown_as_text(
    make: Any, words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main([*words, str(make(tmp_path))])
    assert shown(capsys)


def test_the_object_of_a_file_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["info", str(clip(tmp_path))])
    assert "\\x1b]0;title\\x07red\\r\\x9b5m\\u202eleft\\u2066\\u200b\\U000e0041" in shown(capsys)


def test_errors_of_plugins_are_shown_as_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.py").write_text(f"raise ValueError({EVIL!r})")
    with pytest.raises(SystemExit):
        main(["--plugin", str(tmp_path / "a.py"), "scenes"])
    assert "\\x1b[2J" in shown(capsys)


def test_commands_print_by_functions_that_show_codes() -> None:
    """JSON is ASCII; all other texts go through `say`, or through a console that makes them visible."""
    found = set()
    consoles = set()
    for file in sorted(CLI.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            name = ast.unparse(node.func)
            if name == "Console":
                consoles.add(file.relative_to(CLI).as_posix())
            if name in ("print", "typer.echo", "click.echo") and not ast.unparse(node.args[0]).startswith(
                "json.dumps("
            ):
                found.add(f"{file.relative_to(CLI).as_posix()}: {ast.unparse(node.args[0])}")
    assert found == {"app.py: f'supple {__version__}'", "output.py: visible(text)"}
    assert consoles <= CONSOLES
