"""Pieces of sentences that messages about scenes share."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from supple.errors import did_you_mean
from supple.toml import inline

LONGEST = 60


def shown(value: Any) -> str:
    """A value as it would stand in a file, cut when long."""
    text = inline(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."


def suggestion(word: Any, known: Iterable[Any]) -> str:
    """`; did you mean 'x'? known: x, y`; without a near word, just what is known."""
    words = [str(k) for k in known]
    return f"{did_you_mean(str(word), words)} known: {', '.join(words)}"
