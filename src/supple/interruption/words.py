"""The sentence about an interruption: the results kept, and how to continue."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from supple.interruption.placing import complete
from supple.interruption.signals import Interrupted

_SHOWN = 3
"""Files in a sentence."""
_kept: list[str] = []


@contextmanager
def keeping(words: str) -> Iterator[None]:
    """Use `words` for the results kept after an interruption within, instead of the words of any part of the work."""
    _kept.append(words)
    try:
        yield
    except KeyboardInterrupt:
        raise Interrupted(sentence()) from None
    finally:
        _kept.pop()


def sentence() -> str:
    """For an interruption at this moment."""
    if _kept:
        return f"interrupted; {_kept[-1]}"
    files = [str(path) for path in complete()]
    if not files:
        return "interrupted; nothing was written"
    more = f" and {len(files) - _SHOWN} more" if len(files) > _SHOWN else ""
    return f"interrupted; complete: {', '.join(files[:_SHOWN])}{more}; nothing else was written"
