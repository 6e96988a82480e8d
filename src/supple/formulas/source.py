"""The text of a formula: its syntax tree within bounds, and the position of each part of the tree in the text."""

from __future__ import annotations

import ast
import warnings
from dataclasses import dataclass
from functools import cached_property

LONGEST = 1000
"""Characters."""
MOST_NODES = 400
"""Numbers, names and operations."""
DEEPEST = 100
"""Levels of the syntax tree; a sum of n terms has n."""
SHOWN = 60


@dataclass(frozen=True)
class Source:
    """A text to be parsed as an expression."""

    text: str

    @property
    def quoted(self) -> str:
        """The text in quotes, cut when long."""
        return f"'{cut(self.text)}'"

    def tree(self) -> ast.expr:
        """The syntax tree; a ValueError for a text that is not an expression, or too large."""
        if not self.text.strip():
            raise ValueError("the expression is empty")
        if len(self.text) > LONGEST:
            raise ValueError(f"the expression has {len(self.text)} characters; at most {LONGEST} are read")
        if "#" in self.text:  # Python would skip the rest as a comment
            raise ValueError(
                f"{self.quoted} is not an expression (# cannot be used) (column {self.text.index('#') + 1})"
            )
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", SyntaxWarning)  # such as 1(X), which is rejected later
                tree = ast.parse(self._python, mode="eval").body
        except SyntaxError as error:
            where = f" (column {self._original(error.offset - 1)})" if error.offset else ""
            raise ValueError(f"{self.quoted} is not an expression ({error.msg}){where}") from None
        except (ValueError, RecursionError, MemoryError):
            raise ValueError(f"{self.quoted} is not an expression (it cannot be parsed)") from None
        self._measure(tree)
        return tree

    def segment(self, tree: ast.expr) -> str:
        """The text of a part of the tree."""
        end = self._original(self._characters(tree.end_col_offset or tree.col_offset))
        return cut(self.text[self.column(tree) - 1 : end - 1])

    def column(self, tree: ast.expr) -> int:
        """Start column of a part of the tree in the text, from 1."""
        return self._original(self._characters(tree.col_offset))

    def _characters(self, count: int) -> int:
        """Byte offset in the tree's text, as characters."""
        return len(self._python.encode()[:count].decode())

    @cached_property
    def _python(self) -> str:
        # on one line; ^ binds like ** here, while Python's own ^ would bind weaker than +
        return " ".join(self.text.splitlines()).strip().replace("^", "**")

    def _original(self, column: int) -> int:
        """The column in the text, from 1, of a column of `_python`, from 0."""
        position = len(self.text) - len(self.text.lstrip())
        read = 0
        while read < column and position < len(self.text):
            read += 2 if self.text[position] == "^" else 1
            position += 1
        return position + 1

    def _measure(self, tree: ast.expr) -> None:
        """Reject trees that are too large for recursive readers."""
        level, count, depth = [tree], 0, 0
        while level:
            count, depth = count + len(level), depth + 1
            if count > MOST_NODES:
                raise ValueError(
                    f"{self.quoted} has too many numbers, names and operations; at most {MOST_NODES} are read"
                )
            if depth > DEEPEST:
                raise ValueError(f"{self.quoted} is nested too deeply; at most {DEEPEST} levels are read")
            level = [child for node in level for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)]


def cut(text: str) -> str:
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 3]}..."
