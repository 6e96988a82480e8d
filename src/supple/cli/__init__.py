"""The command line: one file a command; `script` is what the `supple` command calls."""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence

from supple.errors import SuppleError
from supple.escaping import visible

PLUGIN = "--plugin"
YOUNG = 100_000
"""New objects between two collections of garbage. Imports make hundreds of thousands, and none of them is garbage."""


def script() -> None:
    """`main` as a process of its own: collections of garbage take a third of the time of a short command otherwise."""
    gc.set_threshold(YOUNG, 20, 20)
    try:
        main()
    finally:
        gc.freeze()  # the process ends: what it holds need not be searched for garbage


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command: 0 if all went well, 2 for an error of the user, 130 for Ctrl-C; always leaves by SystemExit."""
    from supple.cli.app import app

    try:
        rest, plugins = without_plugins(sys.argv[1:] if arguments is None else list(arguments))
        if plugins:
            from supple.scene.text.plugins import load_plugin

            for plugin in plugins:
                load_plugin(plugin)
        app(args=rest, prog_name="supple")
    except SuppleError as error:
        # plain text: square brackets of a path are not markup, and names of a scene do not steer the terminal
        sys.stderr.write(f"{visible(str(error))}\n")
        sys.exit(2)


def without_plugins(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """The words of a command without `--plugin FILE`, which may stand anywhere, and the files."""
    rest: list[str] = []
    files: list[str] = []
    words = iter(arguments)
    for word in words:
        if word.startswith(f"{PLUGIN}="):
            files.append(word.partition("=")[2])
        elif word == PLUGIN:
            file = next(words, "")
            if not file or file.startswith("--"):
                raise SuppleError(f"{PLUGIN}: give a Python file, such as {PLUGIN} my_methods.py")
            files.append(file)
        else:
            rest.append(word)
    return rest, files
