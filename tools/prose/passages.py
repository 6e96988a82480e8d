"""Passages of prose with their places: paragraphs of Markdown, docstrings, and strings in Python that read as English.

Users read errors, console output, notes, progress labels, help texts, and titles and labels of plots. Many of these strings are
assigned or returned before they are shown, so the calls that show them do not identify them. Their words do.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

CODE = re.compile(r"`[^`]*`|https?://\S+|\]\([^)]*\)|<[^>]+>")
WORD = re.compile(r"[(\"'*]*(?:[A-Za-z][a-z]+(?:['-][a-z]+)*|a|I|CODE)[)\"'*]*[.,;:!?]*")
"""A word of English, with punctuation, or the place of a value."""
END = re.compile(r"(?<=[.!?])\s+(?=[A-Z`*\[(]|[a-z]\w*(?:, \w+)*(?::| =) |[a-z](?:_\w+)? |\w*[_\d])")
"""Between two sentences, of which the second may begin with a symbol or with the name of a parameter."""
UNREAD = ("compile", "sub", "match", "search", "execute", "fullmatch", "findall", "TypeVar")
"""Functions whose strings are patterns or names."""


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
        return [part for part in END.split(plain) if part]


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
    read = set[ast.AST]()
    for node in ast.walk(tree):
        for child in getattr(node, "body", ()) if isinstance(getattr(node, "body", None), list) else ():
            if (
                isinstance(child, ast.Expr)
                and isinstance(child.value, ast.Constant)
                and isinstance(child.value.value, str)
            ):
                read.add(child.value)
                for offset, paragraph in _paragraphs(child.value.value):
                    yield Passage(file, child.lineno + offset, "docstring", paragraph)
        if isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) in UNREAD:
            read.update(node.args)
        elif isinstance(node, ast.JoinedStr):
            read.update(node.values)
        elif isinstance(node, ast.FormattedValue) and node.format_spec:
            read.add(node.format_spec)
        if node not in read:
            for paragraph in _string(node).split("\n\n"):
                if _reads_as_english(paragraph):
                    yield Passage(file, node.lineno, "text", paragraph)  # type: ignore[attr-defined]  # strings have a line


def _string(node: ast.AST) -> str:
    """The text of a string, with `CODE` for each value that is put into it."""
    if isinstance(node, ast.JoinedStr):
        return "".join(str(v.value) if isinstance(v, ast.Constant) else "CODE" for v in node.values)
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def is_word(token: str) -> bool:
    """Whether a token is a word, not a symbol, a number or a sign of a formula."""
    return WORD.fullmatch(token) is not None


def _reads_as_english(text: str) -> bool:
    """Whether most of at least two words are English: not a formula, a pattern, a table of a scene or a script."""
    words = CODE.sub("CODE", text).split()
    english = [word for word in words if is_word(word)]
    return len(english) >= 2 and 2 * len(english) > len(words) and any(word != "CODE" for word in english)


def _paragraphs(docstring: str) -> Iterator[tuple[int, str]]:
    """Paragraphs without indented code and tables."""
    lines = docstring.splitlines()
    inside = [len(line) - len(line.lstrip()) for line in lines[1:] if line.strip()]
    margin = min(inside, default=0)
    held, start = list[str](), 0
    for number, line in enumerate([*lines, ""]):
        code = number > 0 and line[margin:].startswith("    ")
        if line.strip() and not code:
            if not held:
                start = number
            if not line.strip().startswith("|"):
                held.append(line.strip())
        elif held:
            yield start, " ".join(held)
            held = []
