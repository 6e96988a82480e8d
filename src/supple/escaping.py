"""Escaping of text from scenes, files and folders for other languages: one function per target.

Names from an untrusted scene or file may contain anything: markup, quotes, control characters that move a terminal's
cursor, marks that reverse the writing direction. All output passes through one of these functions.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterable

_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\ufffe\uffff\U000e0000-\U000e007f]"
)
"""Invisible characters: control characters except tabs and line feeds, marks of direction and of no width, tags, lone
surrogates. Joiners are part of writing and stay."""
_BREAKS = re.compile("[\t\n]")
_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|[+-]?(inf|nan)", re.IGNORECASE)


def visible(text: str) -> str:
    """Lines of text for a terminal or a log, with control characters replaced by their codes."""
    return _HIDDEN.sub(_code, text)


def one_line(text: str) -> str:
    """The same on a single line: for names in line-based formats."""
    return _BREAKS.sub(_code, visible(text))


def word(text: str) -> str:
    """A single word: for names in whitespace-separated formats."""
    return "_".join(one_line(text).split()) or "_"


def markup(text: str) -> str:
    """Text or an attribute value in HTML, SVG and XML."""
    return html.escape(visible(text))


def attribute(text: str) -> str:
    """An XML attribute value on one line, including its quotes."""
    return f'"{html.escape(one_line(text))}"'


def embedded(document: str) -> str:
    """JSON inside a <script> element, which no text in it can close."""
    return document.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def markdown(text: str) -> str:
    """Plain text in Markdown, which would otherwise accept raw HTML."""
    return _PUNCTUATION.sub(r"\\\1", one_line(text))


def code(text: str) -> str:
    """Text between backquotes in Markdown; backquotes inside it are replaced."""
    return f"`{one_line(text).replace('`', chr(39))}`"


def cell(value: object) -> object:
    """A CSV cell; text that a spreadsheet would interpret as a formula gets a leading quote."""
    if not isinstance(value, str):
        return value
    text = visible(value)
    return f"'{text}" if text.startswith(_FORMULA) and not _NUMBER.fullmatch(text) else text


def file_part(text: str) -> str:
    """Part of a file name: no separators, no characters with a special meaning to a shell or an operating system."""
    plain = re.sub(r'[/\\:*?"<>|]', "_", one_line(text)).lstrip(".")
    return plain[:100] or "_"


def file_parts(names: Iterable[str]) -> list[str]:
    """The same for several names, made unique where two names would coincide."""
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
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"
