"""Ladders of the options of all commands: a call that works, with each value in turn."""

from __future__ import annotations

import shlex
import shutil
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from fuzz.files.case import BUG, REFUSED, tried
from fuzz.files.case import Verdict as Found
from fuzz.files.command_words import CALLS, VALUES
from fuzz.files.commands import COUNTED, COUNTS, FOLDERS, call_case, options_of
from fuzz.ladders.climbing import NAMELESS, Try
from fuzz.sorting import Verdict

TEXTS = (
    "", " ", "0", "-1", "1e-300", "0.5", "2", "1e300", "inf", "nan", "9223372036854775808", "x" * 5000, "é日本語", "../../x",
    "a,b", "in", "/dev/null", "nothing", "1:2", "a=b",
)  # fmt: skip
SERVERS: tuple[str, ...] = ("gallery nothing", "live nothing", "view nothing", "warm nothing")
"""Commands that would not end, or not soon: refused for another reason if an option is allowed."""


def option_ladders() -> list[str]:
    """Names such as `run --steps`."""
    return [f"{' '.join(words)} {option}" for words in _commands() for option, _ in options_of(words)]


def climb_option(name: str) -> Iterator[Try]:
    """The call as it is, then each value of the option."""
    command, _, option = name.rpartition(" ")
    flag = dict(options_of(tuple(command.split())))[option]
    for words in _calls(command, option):
        first = _tried(words)
        if first.kind == "read" or words[-1] == "nothing":
            break
    else:
        yield Try(name, "as it is", "", Verdict("no host", name))
        return
    for value in [None] if flag else _values(option):
        changed = [*_without(words, option, flag), option, *([] if value is None else [value])]
        found = _tried(changed)
        kind, group = {BUG: found.where.partition(" ")[0], REFUSED: "refused"}.get(found.kind, "ran"), found.where
        if kind == "refused" and found.reason == first.reason:
            kind = "ran"  # the option is allowed
        if kind == "refused" and not _names(found.reason, option, value):
            kind, group = NAMELESS, name
        yield Try(name, repr(value)[:60], shlex.join(changed)[:3000], Verdict(kind, group, found.reason), found.reason)


def _names(message: str, option: str, value: str | None) -> bool:
    """Whether a refusal names the option, or at least repeats its value."""
    word = option.lstrip("-")
    parts = (value or "").replace("=", " ").split()
    return any(part[:20] in message for part in parts) or word in message or word.replace("-", "_") in message


def _tried(words: list[str]) -> Found:
    folder = Path(tempfile.mkdtemp(prefix="supple-fuzz-"))
    try:
        parts = [part for part in FOLDERS if part == "in" or any(part in word for word in words)]
        return tried(call_case(words, folder / "case", parts), folder / "case")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _values(option: str) -> list[str]:
    return list(dict.fromkeys((*VALUES.get(option, ()), *(COUNTED if option in COUNTS else TEXTS))))


def _calls(command: str, option: str) -> list[list[str]]:
    """Calls of a command, those with the option first."""
    known = [shlex.split(call) for call in (*CALLS, *SERVERS) if call.startswith(f"{command} ") or call == command]
    return sorted(known, key=lambda words: option not in words)


def _without(words: list[str], option: str, flag: bool) -> list[str]:
    at = words.index(option) if option in words else len(words)
    return words[:at] + words[at + (1 if flag else 2) :]


@cache
def _commands() -> list[tuple[str, ...]]:
    from supple.cli.app import built

    return sorted(_below(built(), ()))


def _below(command: Any, words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    inner = getattr(command, "commands", None)
    if inner is None:
        yield words
    else:
        for name, entry in inner.items():
            yield from _below(entry, (*words, name))
