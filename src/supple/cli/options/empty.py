"""Empty words on the command line, which come from unset variables of a shell: `supple run --out "$OUT"`."""

from __future__ import annotations

from collections.abc import Sequence

from supple.errors import SuppleError

MAY_BE_EMPTY = frozenset({"--title", "--label"})
"""Options whose text may be empty."""


def refuse_empty(arguments: Sequence[str]) -> None:
    """Raise an error for an empty word: as a path it would mean the current folder."""
    before = "supple"
    for word in arguments:
        option, equals, value = word.partition("=")
        empty = not word and before not in MAY_BE_EMPTY
        if empty or (word.startswith("--") and equals and not value and option not in MAY_BE_EMPTY):
            raise SuppleError(
                f"{before if empty else option}: found an empty word, perhaps from an unset variable of the shell; give a "
                "value, or leave it out"
            )
        before = word
