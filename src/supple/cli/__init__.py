"""The command line: one file a command; `script` is what the `supple` command calls."""

from __future__ import annotations

import gc
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from supple.errors import LimitReached, SuppleError
from supple.escaping import visible

INTERRUPTED = 130
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
    """Run one command: 0 if all went well, 2 for an error of the user, 3 at a limit, 130 for Ctrl-C; always leaves by
    SystemExit."""
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
        with _terminated():
            app(args=rest, prog_name="supple")
    except LimitReached as error:
        sys.stderr.write(f"{visible(str(error))}\n")
        sys.exit(3)
    except MemoryError:
        sys.stderr.write("the machine has no memory left for this; take a smaller scene, or fewer processes at once\n")
        sys.exit(2)
    except SystemExit as left:
        if left.code == INTERRUPTED and (said := _interruption(left)):
            sys.stderr.write(f"{said}\n")
        raise
    except SuppleError as error:
        # plain text: square brackets of a path are not markup, and names of a scene do not steer the terminal
        sys.stderr.write(f"{visible(str(error))}\n")
        sys.exit(2)


@contextmanager
def _terminated() -> Iterator[None]:
    """SIGTERM is taken as Ctrl-C: what a command has begun is ended in order."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _interruption(left: BaseException | None) -> str:
    """What to say about an interruption that nobody has told the user about."""
    while left is not None and not isinstance(left, KeyboardInterrupt):
        left = left.__cause__ or left.__context__
    return "" if left is None else str(left) or "interrupted"


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
