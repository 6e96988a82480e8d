"""The state of a run at one step, complete enough to continue from it to the same bits.

A file is a magic word, a digest of the rest, and the rest: an npz archive without pickles, one member of which is JSON.
Once written, `checkpoint` exists at every instant; the previous one is kept as `checkpoint.old`.
"""

from __future__ import annotations

import io
import json
import math
import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from supple.arrays import Archive
from supple.errors import RecordError
from supple.interruption.placing import clear
from supple.recording.files import replace, temporary, trouble

CURRENT, PREVIOUS = "checkpoint", "checkpoint.old"
_MAGIC = b"supple checkpoint 1\n"
_DIGEST = 32
_META = "meta"
_ARRAY = "array/"

Arrays = dict[str, npt.NDArray[Any]]


@dataclass(frozen=True)
class Checkpoint:
    """The saved data; `note` reports when the newest file was unusable and the previous one was read."""

    meta: dict[str, Any]
    arrays: Arrays
    note: str | None = None
    path: Path = Path(CURRENT)
    """The file."""

    def count(self, key: str) -> int:
        """A whole number that is not negative."""
        found = self.meta.get(key)
        if type(found) is not int or found < 0:
            raise RecordError(f"{self.path}: {key} is {str(found)[:40]}, no count; start again with --overwrite")
        return found

    def seconds(self, key: str, default: float) -> float:
        """A length of time above zero [s]; `default` for checkpoints of earlier versions."""
        found = self.meta.get(key, default)
        if isinstance(found, bool) or not isinstance(found, int | float) or not 0.0 < found < math.inf:
            raise RecordError(
                f"{self.path}: {key} is {str(found)[:40]}, no time in seconds; start again with --overwrite"
            )
        return float(found)


def write_checkpoint(folder: Path, meta: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> None:
    """Save; `meta` is JSON data (floats keep their bits, including NaN and infinities), `arrays` contain no objects."""
    body = _pack(meta, arrays)
    current, previous = folder / CURRENT, folder / PREVIOUS
    new = temporary(current)
    try:
        clear(new)
        with open(new, "wb") as file:
            file.write(_MAGIC + _digest(body) + body)
            file.flush()
            os.fsync(file.fileno())
        if _problem(current) is None:  # a damaged file must not replace the last good one
            _link(current, previous)
        replace(new, current)
    except OSError as error:
        new.unlink(missing_ok=True)
        raise trouble(current, "write", error) from error


def read_checkpoint(folder: Path) -> Checkpoint:
    """The newest intact checkpoint."""
    problems: list[str] = []
    for path in (folder / CURRENT, folder / PREVIOUS):
        problem = _problem(path)
        if problem is None:
            try:
                meta, arrays = _unpack(path.read_bytes()[len(_MAGIC) + _DIGEST :])
            except (ValueError, KeyError) as error:
                raise RecordError(
                    f"{path}: cannot be read as a checkpoint: {error}; start again with --overwrite"
                ) from None
            note = f"{problems[0]}; continuing from {path.name}, the previous one" if problems else None
            return Checkpoint(meta, arrays, note, path)
        problems.append(f"{path.name}: {problem}")
    raise RecordError(
        f"{folder}: no usable checkpoint ({'; '.join(problems)}); this run cannot be continued: "
        "start it again with --overwrite"
    )


def _digest(body: bytes) -> bytes:
    return blake2b(body, digest_size=_DIGEST).digest()


def _problem(path: Path) -> str | None:
    """Why the file cannot be used, or None."""
    if path.exists() and not path.is_file():
        return "is not a regular file"
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return "is missing"
    except OSError as error:
        return f"cannot be read: {error.strerror or error}"
    if not data:
        return "is empty"
    if not data.startswith(_MAGIC):
        return f"is not a checkpoint of this version of supple (it starts with {data[: len(_MAGIC)]!r})"
    head = len(_MAGIC) + _DIGEST
    if data[len(_MAGIC) : head] != _digest(data[head:]):
        return f"is damaged or only half written (its {len(data)} bytes do not match their digest)"
    return None


def _pack(meta: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> bytes:
    objects = [name for name, a in arrays.items() if np.asarray(a).dtype.hasobject]
    if objects:
        raise RecordError(f"a checkpoint supports only numeric arrays; arrays with objects: {', '.join(objects)}")
    members: dict[str, Any] = {_ARRAY + name: np.asarray(a) for name, a in arrays.items()}
    members[_META] = np.frombuffer(json.dumps(dict(meta)).encode(), dtype=np.uint8)
    buffer = io.BytesIO()
    np.savez(buffer, **members)
    return buffer.getvalue()


def _unpack(body: bytes) -> tuple[dict[str, Any], Arrays]:
    with Archive(body) as members:
        meta = json.loads(members[_META].tobytes())
        if not isinstance(meta, dict):
            raise ValueError("its metadata is not a table")
        arrays = {name.removeprefix(_ARRAY): members[name] for name in members if name != _META}
    return meta, arrays


def _link(path: Path, other: Path) -> None:
    """Make `other` a hard link to `path`, or a copy where the file system has no links."""
    new = temporary(other)
    clear(new)
    try:
        os.link(path, new)
    except OSError:
        shutil.copyfile(path, new)
    os.replace(new, other)
