"""Text from scenes, files and folders as it goes into other languages: one function for each target.

Names may hold anything that a scene or a file of a stranger has: markup, quotes, control characters that move a terminal's
cursor, marks that turn the direction of writing round. Whatever is written passes one of these.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterable

_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff\ufffe\uffff]"
)
"""Control characters but for tabs and line feeds, marks of direction, halves of characters: seen by programs only."""
_BREAKS = re.compile("[\t\n]")
_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|[+-]?(inf|nan)", re.IGNORECASE)


def visible(text: str) -> str:
    """Lines of text for a terminal or a log, with what would act instead of being read as its code."""
    return _HIDDEN.sub(_code, text)


def one_line(text: str) -> str:
    """The same on a single line: names in formats where a line is a statement."""
    return _BREAKS.sub(_code, visible(text))


def word(text: str) -> str:
    """One word: a name in formats where a blank ends it."""
    return "_".join(one_line(text).split()) or "_"


def markup(text: str) -> str:
    """Text or the value of an attribute, in HTML, SVG and XML."""
    return html.escape(visible(text))


def attribute(text: str) -> str:
    """The value of an attribute in XML on one line, with its quotes."""
    return f'"{html.escape(one_line(text))}"'


def embedded(document: str) -> str:
    """JSON inside a <script> of a page: no text in it can end the element."""
    return document.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def markdown(text: str) -> str:
    """Plain text in Markdown, which takes raw HTML otherwise."""
    return _PUNCTUATION.sub(r"\\\1", one_line(text))


def code(text: str) -> str:
    """Text between backquotes in Markdown; it cannot hold backquotes itself."""
    return f"`{one_line(text).replace('`', chr(39))}`"


def cell(value: object) -> object:
    """A cell of a CSV file: text that a spreadsheet would take for a formula gets a quote in front."""
    if not isinstance(value, str):
        return value
    text = visible(value)
    return f"'{text}" if text.startswith(_FORMULA) and not _NUMBER.fullmatch(text) else text


def file_part(text: str) -> str:
    """Part of a file's name: no separators, nothing that a shell or a system reads in its own way."""
    plain = re.sub(r'[/\\:*?"<>|]', "_", one_line(text)).lstrip(".")
    return plain[:100] or "_"


def file_parts(names: Iterable[str]) -> list[str]:
    """The same for several names, each with a part of its own: two names may become one."""
    made: list[str] = []
    for name in names:
        part = file_part(name)
        while part in made:
            part += "_"
        made.append(part)
    return made


def _code(found: re.Match[str]) -> str:
    number = ord(found[0])
    if unicodedata.category(found[0]) == "Cc":
        return {9: "\\t", 10: "\\n", 13: "\\r"}.get(number, f"\\x{number:02x}")
    return f"\\u{number:04x}"
