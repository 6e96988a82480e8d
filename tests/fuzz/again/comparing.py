"""What a run left in its folder, bit by bit: rows, frames, the last checkpoint, and the sentence of a failure."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

CLOCK = "wall_seconds"
FILES = frozenset({"history", "film", "chosen_for", "threads", "scene"})
"""Entries of a checkpoint that describe its files, not the state."""

Facts = dict[str, str]


def facts(run: Path) -> Facts:
    """A short text for everything in which two equal runs agree, in the order of events."""
    return dict([*_rows(run), *_frames(run), *_checkpoint(run)])


def last_step(run: Path) -> int:
    """Number of the last row."""
    return int(_table(run)[-1]["step"])


def first_difference(one: Facts, two: Facts) -> str:
    """What differs first, with both texts; empty if nothing does."""
    for name in [*one, *(name for name in two if name not in one)]:
        if one.get(name) != two.get(name):
            return f"{name}: {_parted(one.get(name, 'missing'), two.get(name, 'missing'))}"
    return ""


def _parted(one: str, two: str) -> str:
    """The entries that differ of two rows, or both texts."""
    a, b = one.split(" "), two.split(" ")
    pairs = [(x, y) for x, y in zip(a, b, strict=True) if x != y] if len(a) == len(b) else [(one, two)]
    return "; ".join(f"{x} | {y}" for x, y in pairs[:6])[:600]


def _table(run: Path) -> list[dict[str, str]]:
    with (run / "history.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _rows(run: Path) -> Iterator[tuple[str, str]]:
    for row in _table(run):
        row.pop(CLOCK, None)
        yield f"row {row['step']}", " ".join(f"{word}={cell}" for word, cell in row.items())


def _frames(run: Path) -> Iterator[tuple[str, str]]:
    from supple.recording.playback import open_animation

    with open_animation(run / "animation.vtkhdf") as film:
        yield "times", _digest(film.times.tobytes())
        for k in range(len(film)):
            for name in film.fields:
                yield f"frame {k} {name}", _digest(film.field(name, k).tobytes())


def _checkpoint(run: Path) -> Iterator[tuple[str, str]]:
    from supple.recording.checkpoint import read_checkpoint

    saved = read_checkpoint(run)
    return state_facts({word: entry for word, entry in saved.meta.items() if word not in FILES}, saved.arrays)


def state_facts(meta: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> Iterator[tuple[str, str]]:
    """Texts for the contents of a checkpoint."""
    for word, entry in meta.items():
        yield f"checkpoint {word}", json.dumps(entry)
    for name, array in sorted(arrays.items()):
        yield f"checkpoint {name}", f"{array.dtype} {array.shape} {_digest(array.tobytes())}"


def _digest(data: bytes) -> str:
    return blake2b(data, digest_size=8).hexdigest()


def document(stdout: str) -> dict[str, Any]:
    """The JSON document on the last line, without times of the clock and places."""
    found = json.loads(stdout.strip().splitlines()[-1])
    return {word: entry for word, entry in found.items() if word not in (CLOCK, "folder")}
