"""Writes docs/reference/cli.md, every command with its arguments and options. Run by `make docs`.

    python tools/write_cli.py

Everything is derived from the functions of the commands: their docstrings, type hints and marks of typer.
"""

from __future__ import annotations

import enum
import inspect
import re
import typing
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import typer

from supple.cli.analyse.app import analyse
from supple.cli.app import COMMANDS, supple

PAGE = Path(__file__).parent.parent / "docs" / "reference" / "cli.md"
HEAD = """<!-- Written by tools/write_cli.py: `make docs`. -->
# Command line

`supple COMMAND --help` shows the same text.

![Commands by task: describe, simulate, look at results, fit and study, maintain](../images/commands.svg)

The exit code is 0 for success, 1 for a failed check, 2 for a refused input or a failure, 3 at a limit of time or memory, and 130
after Ctrl-C. [Stopping](../guide/stopping.md) describes them.
"""
WORDS = {str: "TEXT", int: "INTEGER", float: "NUMBER", Path: "PATH", bool: ""}
Command = Callable[..., Any]


class Parameter(typing.NamedTuple):
    """One argument or option of a command."""

    names: tuple[str, ...]
    is_option: bool
    value: str
    """Placeholder after its name; empty for switches."""
    default: str
    meaning: str


def commands() -> Iterator[tuple[str, Command]]:
    """Words of each command, and its function."""
    yield from ((written(function), function) for function in COMMANDS)
    for info in analyse.registered_commands:
        assert info.callback
        yield f"analyse {info.name or written(info.callback)}", info.callback


def written(function: Command) -> str:
    return function.__name__.replace("_", "-")


def paragraphs(function: Command) -> list[str]:
    return (inspect.getdoc(function) or "").split("\n\n")


def parameters(function: Command) -> list[Parameter]:
    """Arguments and options in their order."""
    hints = typing.get_type_hints(function, include_extras=True)
    return [
        parameter(name, hints[name], given.default) for name, given in inspect.signature(function).parameters.items()
    ]


def parameter(name: str, hint: Any, default: Any) -> Parameter:
    kind, mark = typing.get_args(hint)[:2]
    is_option = isinstance(mark, typer.models.OptionInfo)
    # inside Annotated the first name stands where typer expects a default
    given = [name for name in (mark.default, *(mark.param_decls or ())) if isinstance(name, str)]
    names = tuple(given) or default_names(name, kind, is_option)
    value = mark.metavar or ("" if is_option and kind is bool else word(kind))
    if value == "TEXT" and not is_option:
        value = ""
    bounds = [f">= {mark.min}"] * (mark.min is not None) + [f"<= {mark.max}"] * (mark.max is not None)
    return Parameter(
        names,
        is_option,
        " ".join([value, *bounds]).strip(),
        shown(mark.show_default, default),
        cell(mark.help or ""),
    )


def default_names(name: str, kind: Any, is_option: bool) -> tuple[str, ...]:
    """As typer makes them from the name of a parameter."""
    if not is_option:
        return (name,)
    plain = name.replace("_", "-")
    return (f"--{plain}/--no-{plain}",) if kind is bool else (f"--{plain}",)


def word(kind: Any) -> str:
    """The type of a value."""
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        return " or ".join(str(member.value) for member in kind)
    if typing.get_origin(kind) is typing.Literal:
        return " or ".join(map(str, typing.get_args(kind)))
    inner = [a for a in typing.get_args(kind) if a is not type(None)]
    return word(inner[0]) if inner else WORDS[kind]


def shown(told: bool | str, default: Any) -> str:
    """A default worth stating."""
    if isinstance(told, str):
        return f"`{told}`"
    if default is inspect.Parameter.empty:
        return "required"
    if default is None or default is False or default == [] or not told:
        return ""
    return f"`{default.value if isinstance(default, enum.Enum) else default}`"


def cell(text: str) -> str:
    """Text inside a table: angle brackets and stars are no markup."""
    return re.sub(r"([<*_\[\]])", r"\\\1", " ".join(text.split())).replace("|", "&#124;")


def table(rows: list[Parameter]) -> str:
    lines = [("name", "value", "default", "meaning"), ("---",) * 4]
    for row in rows:
        names = ", ".join(f"`{name}`" for name in row.names)
        lines.append((names, f"`{row.value}`".replace("|", "&#124;") if row.value else "", row.default, row.meaning))
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def section(name: str, function: Command) -> str:
    """One command: usage, words, arguments, options."""
    found = parameters(function)
    arguments, options = [p for p in found if not p.is_option], [p for p in found if p.is_option]
    usage = " ".join(p.names[0].upper() if p.default == "required" else f"[{p.names[0].upper()}]" for p in arguments)
    parts = [f"## supple {name}".rstrip(), f"    supple {name} [OPTIONS] {usage}".rstrip()]
    parts += [cell(paragraph) for paragraph in paragraphs(function)]
    parts += [table(rows).rstrip() for rows in (arguments, options) if rows]
    return "\n\n".join(parts) + "\n"


def shared() -> str:
    """Options that stand before or after any command."""
    return f"## Options of all commands\n\n{table(parameters(supple))}"


def page() -> str:
    """The whole page."""
    listed = "".join(
        f"| [`supple {name}`](#supple-{name.replace(' ', '-')}) | {cell(paragraphs(function)[0])} |\n"
        for name, function in commands()
    )
    head = f"{HEAD}\n| command | purpose |\n| --- | --- |\n{listed}"
    return "\n".join([head, shared(), *(section(name, function) for name, function in commands())])


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
