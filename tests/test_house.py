"""The house rules that keep the source readable: small folders, small files, short functions."""

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from statistics import median

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


def lengths(file: Path) -> Iterator[tuple[str, int]]:
    """Functions of a file with their lines; a file that is shorter than a function may be need not be parsed."""
    text = file.read_text(encoding="utf-8")
    if text.count("\n") >= MOST_LINES:
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield node.name, (node.end_lineno or 0) - node.lineno + 1


def test_functions_are_short() -> None:
    found = [(str(file.relative_to(SOURCE)), name, n) for file in FILES for name, n in lengths(file)]
    assert len(found) > len(FILES)
    assert [one for one in found if one[2] > MOST_LINES] == []
