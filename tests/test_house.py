"""The house rules that keep the source readable: small folders, small files, short functions."""

import ast
from collections import Counter
from pathlib import Path
from statistics import median

import pytest

import supple

SOURCE = Path(supple.__file__).parent
FILES = sorted(SOURCE.rglob("*.py"))

MOST_FILES = 20
MEDIAN_LINES = 100
MOST_LINES = 60
"""Of a function, from `def` to its last line."""


def test_folders_are_small() -> None:
    crowded = {
        str(folder.relative_to(SOURCE)): n for folder, n in Counter(f.parent for f in FILES).items() if n > MOST_FILES
    }
    assert not crowded


def test_files_are_small() -> None:
    assert median(len(file.read_text(encoding="utf-8").splitlines()) for file in FILES) <= MEDIAN_LINES


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(SOURCE)))
def test_functions_are_short(file: Path) -> None:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    lengths = [(node.name, (node.end_lineno or 0) - node.lineno + 1) for node in functions]
    assert not [(name, n) for name, n in lengths if n > MOST_LINES]
