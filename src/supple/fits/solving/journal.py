"""The trials of a search, stored in a file as they finish: a killed search recalls them and continues with the same bits.

Each line is a digest and JSON, the first one identifies the fit. A kill may truncate the last line; it is dropped, and its
trial is computed again. Trials are found by their variables: the search itself is repeated, and only known trials are skipped.
"""

from __future__ import annotations

import base64
import fcntl
import json
import os
from collections.abc import Mapping
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np

from supple.errors import RecordError, SuppleError
from supple.recording.files import make_folder, trouble
from supple.types import Array

NAME = "trials.jsonl"
"""Name of the file in the folder of an unfinished fit."""
_DIGEST = 16


class OtherFit(RecordError):
    """A folder has the trials of another fit, in the file `path`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        super().__init__(
            f"{path.parent}: contains an unfinished fit of another problem or version of supple; choose another --out, "
            "or start again with --overwrite"
        )


class Journal:
    """Results by their variables; owned by one process at a time."""

    def __init__(self, folder: Path, identity: Mapping[str, Any]) -> None:
        """Open or begin; raises RecordError if the folder has the trials of another fit, or another process writes to it."""
        self.path = folder / NAME
        self._known: dict[str, Any] = {}
        self._made = [path for path in (folder, *folder.parents) if not path.exists()]
        make_folder(folder)
        try:
            self._file = open(self.path, "a+b", buffering=0)  # noqa: SIM115
        except OSError as error:
            raise trouble(self.path, "write", error) from error
        try:
            self._take(identity)
        except BaseException:
            self._file.close()
            raise

    @property
    def recalls(self) -> int:
        """Number of recalled results."""
        return len(self._known)

    def recall(self, what: str, *numbers: Array | float | int) -> Any:
        """The stored result, or None; its arrays are packed."""
        return self._known.get(_key(what, numbers))

    def keep(self, result: Any, what: str, *numbers: Array | float | int) -> None:
        """Add a result that JSON can hold."""
        self._write({"key": _key(what, numbers), "result": result})

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Remove the journal of a refused fit; after other errors, such as a full disk, it stays."""
        if isinstance(error, SuppleError) and not isinstance(error, RecordError) and not self._known:
            self.path.unlink(missing_ok=True)
            with suppress(OSError):  # something else is in there
                for path in self._made:
                    path.rmdir()
        self._file.close()

    def _take(self, identity: Mapping[str, Any]) -> None:
        """Entries of the file, if it belongs to this fit."""
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise RecordError(
                f"{self.path.parent}: another process is working on this fit; choose another --out"
            ) from None
        self._file.seek(0)
        lines, end = whole_lines(self._file.read())
        self._file.truncate(end)
        wanted = json.loads(json.dumps(dict(identity)))
        if not lines:
            self._write({"identity": wanted})
        elif lines[0].get("identity") != wanted:
            raise OtherFit(self.path)
        self._known = {entry["key"]: entry["result"] for entry in lines[1:]}

    def _write(self, entry: dict[str, Any]) -> None:
        text = json.dumps(entry).encode()
        try:
            self._file.write(_digest(text) + b" " + text + b"\n")
            os.fsync(self._file.fileno())
        except OSError as error:
            raise trouble(self.path, "write", error) from error


def whole_lines(data: bytes) -> tuple[list[dict[str, Any]], int]:
    """Entries up to the first damaged or truncated line, and its offset."""
    entries: list[dict[str, Any]] = []
    end = 0
    for line in data.split(b"\n")[:-1]:
        digest, _, text = line.partition(b" ")
        if digest != _digest(text):
            break
        entries.append(json.loads(text))
        end += len(line) + 1
    return entries, end


def packed(array: Array) -> dict[str, Any]:
    """An array as JSON, to the bit."""
    return {
        "shape": list(array.shape),
        "bytes": base64.b64encode(np.ascontiguousarray(array, "<f8").tobytes()).decode(),
    }


def unpacked(kept: Mapping[str, Any]) -> Array:
    return np.frombuffer(base64.b64decode(kept["bytes"]), "<f8").reshape(kept["shape"]).astype(np.float64)


def _key(what: str, numbers: tuple[Array | float | int, ...]) -> str:
    total = blake2b(what.encode(), digest_size=_DIGEST)
    for number in numbers:
        total.update(np.ascontiguousarray(number, np.float64).tobytes())
    return total.hexdigest()


def _digest(text: bytes) -> bytes:
    return blake2b(text, digest_size=_DIGEST).hexdigest().encode()
