"""Pieces of prose with their places: paragraphs of Markdown, docstrings, and the texts that commands and errors show."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

CODE = re.compile(r"`[^`]*`|https?://\S+|\]\([^)]*\)|<[^>]+>")
SHOWN = ("help", "message", "reason", "hint")
"""Keyword arguments whose strings users read."""


@dataclass(frozen=True)
class Passage:
    """A paragraph, a cell of a table, a docstring or a message."""

    file: Path
    line: int
    kind: str
    text: str

    def sentences(self) -> list[str]:
        """The sentences, with code replaced by one word."""
        plain = " ".join(CODE.sub("CODE", self.text).split())
        return [part for part in re.split(r"(?<=[.!?])\s+(?=[A-Z`*\[(])", plain) if part]


def passages(file: Path) -> Iterator[Passage]:
    """All prose of a file."""
    text = file.read_text(encoding="utf-8")
    yield from (_markdown(file, text) if file.suffix == ".md" else _python(file, text))


def _markdown(file: Path, text: str) -> Iterator[Passage]:
    fenced, start, held = False, 0, list[str]()
    for number, line in enumerate([*text.splitlines(), ""], 1):
        stripped = line.strip()
        if stripped.startswith("```"):
            fenced = not fenced
        code = fenced or stripped.startswith("```") or (line.startswith("    ") and not held)
        separate = not stripped or code or stripped.startswith(("#", "|", "- ", "* ", "> ", "!"))
        if separate and held:
            yield Passage(file, start, "text", " ".join(held))
            held = []
        if code or not stripped:
            continue
        if stripped.startswith("|"):
            for cell in stripped.strip("|").split("|"):
                if cell.strip(" -:"):
                    yield Passage(file, number, "cell", cell.strip())
        elif stripped.startswith("#"):
            yield Passage(file, number, "heading", stripped.lstrip("# "))
        else:
            if not held:
                start = number
            held.append(stripped.removeprefix("- ").removeprefix("* ").removeprefix("> "))


def _python(file: Path, text: str) -> Iterator[Passage]:
    tree = ast.parse(text)
    for node in ast.walk(tree):
        for child in getattr(node, "body", ()) if isinstance(getattr(node, "body", None), list) else ():
            if (
                isinstance(child, ast.Expr)
                and isinstance(child.value, ast.Constant)
                and isinstance(child.value.value, str)
            ):
                for offset, paragraph in _paragraphs(child.value.value):
                    yield Passage(file, child.lineno + offset, "docstring", paragraph)
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            for argument in (*node.exc.args, *(word.value for word in node.exc.keywords)):
                yield from _message(file, argument)
        elif isinstance(node, ast.keyword) and node.arg in SHOWN:
            yield from _message(file, node.value)


def _paragraphs(docstring: str) -> Iterator[tuple[int, str]]:
    """Paragraphs without indented code."""
    lines = docstring.splitlines()
    inside = [len(line) - len(line.lstrip()) for line in lines[1:] if line.strip()]
    margin = min(inside, default=0)
    held, start = list[str](), 0
    for number, line in enumerate([*lines, ""]):
        code = number > 0 and line[margin:].startswith("    ")
        if line.strip() and not code:
            if not held:
                start = number
            held.append(line.strip())
        elif held:
            yield start, " ".join(held)
            held = []


def _message(file: Path, node: ast.expr) -> Iterator[Passage]:
    for part in ast.walk(node):
        if isinstance(part, ast.JoinedStr):
            words = [v.value if isinstance(v, ast.Constant) else "CODE" for v in part.values]
            yield Passage(file, part.lineno, "message", "".join(str(word) for word in words))
            return
    for part in ast.walk(node):
        if isinstance(part, ast.Constant) and isinstance(part.value, str) and " " in part.value:
            yield Passage(file, part.lineno, "message", part.value)
