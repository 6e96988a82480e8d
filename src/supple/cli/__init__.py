"""The command line: one file per command; `script` is the entry point of `supple`."""

from __future__ import annotations

import atexit
import errno
import gc
import os
import signal
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

# nothing of ours is imported here: until `script` is called, Ctrl-C is Python's, with a traceback

PLUGIN, PATHS = "--plugin", "--allow-paths"
"""Options of all commands, accepted anywhere on the command line."""
EXAMPLES = {PLUGIN: "a Python file, such as --plugin my_methods.py", PATHS: "a folder, such as --allow-paths ../meshes"}
YOUNG = 100_000
"""New objects between two garbage collections. Imports create hundreds of thousands, none of them garbage."""
_outside = "interrupted; nothing was written\n"
"""What a request outside of `stoppable` has to say."""


def script() -> None:
    """`main` as the whole process: otherwise garbage collection takes a third of the time of a short command."""
    _leaving()
    for number in _heard():  # Python resets other handlers before it exits: a signal would kill it
        atexit.register(signal.signal, number, signal.SIG_IGN)
    gc.set_threshold(YOUNG, 20, 20)
    from supple.cli.streams import steady_streams
    from supple.surroundings import distrust_folder

    try:
        with steady_streams():
            distrust_folder()
            main()
    finally:
        _over()
        _leaving()
        gc.freeze()  # the process is about to exit, so nothing has to be searched for garbage


def _over() -> None:
    """The command has ended: later requests neither interrupt its last words nor deny what it wrote."""
    global _outside
    from supple.interruption.signals import work_is_over

    work_is_over()
    _outside = ""


def _leaving() -> None:
    """Before and after `main` there is nothing to end in order."""

    def leave(*_: object) -> None:
        os.write(2, _outside.encode())
        os._exit(130)

    for number in _heard():
        signal.signal(number, leave)


def _heard() -> list[signal.Signals]:
    """Requests to end; `nohup` starts programs that ignore a closed terminal, and they go on to do so."""
    nohup = signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    return [signal.SIGINT, signal.SIGTERM, *([] if nohup else [signal.SIGHUP])]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command; always exits through SystemExit: 0 on success, 2 for a user error, 3 at a limit, 130 for Ctrl-C."""
    from supple.errors import LimitReached, SuppleError
    from supple.escaping import visible
    from supple.interruption.command import stoppable
    from supple.interruption.signals import INTERRUPTED, was_asked
    from supple.interruption.words import sentence

    with stoppable() as last, _plain_warnings():
        try:
            try:
                _command(sys.argv[1:] if arguments is None else list(arguments))
            finally:
                _over()
        except LimitReached as error:
            _say(visible(str(error)))
            sys.exit(3)
        except MemoryError:
            _say("out of memory; use a smaller scene, or fewer processes at once")
            sys.exit(2)
        except (SystemExit, KeyboardInterrupt) as left:
            _over()  # again, in case that it was the first call that was interrupted
            asked = _interruption(left)
            if asked is None or (isinstance(left, SystemExit) and left.code != INTERRUPTED):
                raise
            last.say(visible(str(asked)) or sentence(), sys.stderr.write)
            sys.exit(INTERRUPTED)
        except SuppleError as error:
            # plain text: square brackets of a path are not markup, and names of a scene do not steer the terminal
            _say(visible(str(error)))
            sys.exit(2)
        except Exception as error:
            if was_asked():
                # native code makes errors of its own of a request, and two threads may remove the same file then
                last.say(sentence(), sys.stderr.write)
                sys.exit(INTERRUPTED)
            reason = _of_the_system(error) if isinstance(error, OSError) else None
            if reason is None:
                raise
            _say(visible(reason))
            sys.exit(2)


def _of_the_system(error: OSError) -> str | None:
    """What a user can mend, as a sentence: files, names, permissions and space; None for anything else."""
    name = "" if error.filename is None else f"{error.filename}: "
    if error.errno == errno.ENAMETOOLONG:
        return f"{name}this name is longer than the file system allows; give a shorter one"
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return f"{name}cannot write: {error.strerror}; free some space, or choose another place"
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return f"{name}{error.strerror}; choose another place, or change its permissions"
    if error.errno in (errno.EMFILE, errno.ENFILE):
        return f"{name}{error.strerror}; close other programs, or raise the limit (ulimit -n)"
    if name and error.strerror:
        return f"{name}{error.strerror}; check that this path exists, is of the right kind and may be used"
    return None


def _demand_folder() -> None:
    """Relative names, and libraries while they are imported, require the current folder."""
    from supple.errors import SuppleError

    try:
        os.getcwd()
    except FileNotFoundError:
        raise SuppleError("the current folder no longer exists; change to another one with cd") from None


def _command(arguments: list[str]) -> None:
    _demand_folder()
    from supple.cli.app import built
    from supple.cli.options.empty import refuse_empty

    rest, given = without_shared(arguments)
    refuse_empty(rest)
    if given[PATHS]:
        from supple.paths import allow_paths

        allow_paths(*given[PATHS])
    if given[PLUGIN]:
        from supple.scene.text.plugins import load_plugin

        for plugin in given[PLUGIN]:
            load_plugin(plugin)
    built()(args=rest, prog_name="supple")


@contextmanager
def _plain_warnings() -> Iterator[None]:
    """Warnings of supple are sentences; where they were raised is nobody's concern."""
    from supple.errors import SuppleWarning
    from supple.escaping import visible

    before = warnings.formatwarning

    def format_warning(message: Any, category: type[Warning], *rest: Any, **more: Any) -> str:
        if issubclass(category, SuppleWarning):
            return f"{visible(str(message))}\n"
        return before(message, category, *rest, **more)

    warnings.formatwarning = format_warning
    try:
        yield
    finally:
        warnings.formatwarning = before


def _say(words: str) -> None:
    sys.stderr.write(f"{words}\n")


def _interruption(left: BaseException | None) -> KeyboardInterrupt | None:
    """The request that ended the command, if the user has not been informed of it yet."""
    while left is not None and not isinstance(left, KeyboardInterrupt):
        left = left.__cause__ or left.__context__
    return left


def without_shared(arguments: Sequence[str]) -> tuple[list[str], dict[str, list[str]]]:
    """The words of a command without `--plugin FILE` and `--allow-paths FOLDER`, and the values of those."""
    from supple.errors import SuppleError

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
