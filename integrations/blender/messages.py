# SPDX-License-Identifier: GPL-3.0-or-later
"""Sentences for the user: what is wrong, and where."""


class Refusal(Exception):
    """A request that cannot be met. Its text names the object, the finding and the remedy."""


def shorten(text: str, lines: int = 6) -> str:
    """The last lines of the output of a process, without empty ones."""
    kept = [line.rstrip() for line in text.splitlines() if line.strip()]
    return "\n".join(kept[-lines:])
