"""The command line: one file a command; `script` is what the `supple` command calls."""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence

from supple.errors import SuppleError

PLUGIN, PATHS = "--plugin", "--allow-paths"
"""Options of all commands, which may stand anywhere."""
EXAMPLES = {PLUGIN: "a Python file, such as --plugin my_methods.py", PATHS: "a folder, such as --allow-paths ../meshes"}
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
        rest, given = without_shared(sys.argv[1:] if arguments is None else list(arguments))
        if given[PATHS]:
            from supple.paths import allow_paths

            allow_paths(*given[PATHS])
        if given[PLUGIN]:
            from supple.scene.text.plugins import load_plugin

            for plugin in given[PLUGIN]:
                load_plugin(plugin)
        app(args=rest, prog_name="supple")
    except SuppleError as error:
        # plain text: square brackets of a path are not markup
        sys.stderr.write(f"{error}\n")
        sys.exit(2)


def without_shared(arguments: Sequence[str]) -> tuple[list[str], dict[str, list[str]]]:
    """The words of a command without `--plugin FILE` and `--allow-paths FOLDER`, and the values of those."""
    rest: list[str] = []
    given: dict[str, list[str]] = {option: [] for option in EXAMPLES}
    words = iter(arguments)
    for word in words:
        option, equals, value = word.partition("=")
        if option not in EXAMPLES:
            rest.append(word)
            continue
        value = value if equals else next(words, "")
        if not value or value.startswith("--"):
            raise SuppleError(f"{option}: give {EXAMPLES[option]}")
        given[option].append(value)
    return rest, given
