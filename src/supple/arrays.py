"""NumPy arrays from untrusted files: nothing is unpickled, and declared sizes are verified.

The declared size is compared with the size of the file before memory is allocated. Every failure raises ValueError or
OSError.
"""

from __future__ import annotations

import io
import math
import sys
import tokenize
import warnings
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

UNPACKED = 1 << 30
"""Limit on the unpacked size of an archive [bytes]; a larger archive may unpack to eight times its own size."""
AT_ONCE = 1 << 24
"""Bytes read from a file at a time."""
_UNREADABLE = (
    EOFError,
    KeyError,
    MemoryError,
    NotImplementedError,  # a compression method that zipfile does not support
    OverflowError,
    RecursionError,
    RuntimeError,  # a member with a password
    SyntaxError,
    TypeError,
    tokenize.TokenError,
    zipfile.BadZipFile,
    zlib.error,
)


def read_npy(path: str | PathLike[str]) -> npt.NDArray[Any]:
    """The array in a `.npy` file."""
    path = Path(path)
    if not path.is_file():
        raise FileNotFoundError(2, "no such file, or not a plain one", str(path))
    with path.open("rb") as file, _plain_words():
        return _array(file, path.stat().st_size)


class Archive(Mapping[str, npt.NDArray[Any]]):
    """The arrays of a `.npz` file by name, each read on first access."""

    def __init__(self, source: str | PathLike[str] | bytes) -> None:
        if not isinstance(source, bytes) and not Path(source).is_file():
            raise FileNotFoundError(2, "no such file, or not a plain one", str(source))
        size = len(source) if isinstance(source, bytes) else Path(source).stat().st_size
        with _plain_words():
            self._zip = zipfile.ZipFile(io.BytesIO(source) if isinstance(source, bytes) else source)
            self._members = {info.filename.removesuffix(".npy"): info for info in self._zip.infolist()}
            unpacked = sum(info.file_size for info in self._zip.infolist())
            if unpacked > max(UNPACKED, 8 * size):
                raise ValueError(f"its {size:,} bytes would unpack to {unpacked:,}")

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        info = self._members[name]
        with _plain_words(), self._zip.open(info) as file:
            return _array(file, info.file_size)

    def __contains__(self, name: object) -> bool:
        return name in self._members

    def __iter__(self) -> Iterator[str]:
        return iter(self._members)

    def __len__(self) -> int:
        return len(self._members)

    def close(self) -> None:
        self._zip.close()

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def read_header(file: IO[bytes]) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    """Shape, Fortran order flag and type of the array that follows."""
    major, _ = np.lib.format.read_magic(file)
    read = {1: np.lib.format.read_array_header_1_0, 2: np.lib.format.read_array_header_2_0}.get(major)
    if read is None:
        raise ValueError(f"version {major} of the .npy format is not read")
    shape, fortran, kind = read(file)
    if kind.hasobject:
        raise ValueError("its entries are Python objects; only plain numbers and strings are read")
    if any(length < 0 for length in shape):
        raise ValueError(f"its shape is {shape}")
    return shape, fortran, kind


def _array(file: IO[bytes], size: int) -> npt.NDArray[Any]:
    """The array at the beginning of a file of the given size."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about headers written by Python 2
        shape, fortran, kind = read_header(file)
    count = math.prod(int(side) for side in shape)
    wanted = count * kind.itemsize
    if wanted > size or (not kind.itemsize and count):
        raise ValueError(f"its header declares {wanted:,} bytes of data, the file has {size:,} bytes")
    data = _bytes(file, wanted)
    made = np.frombuffer(data, kind)
    _demand_characters(made)
    return made.reshape(shape[::-1]).T if fortran else made.reshape(shape)


def _bytes(file: IO[bytes], wanted: int) -> bytearray:
    """Read into one piece of memory; large arrays are not copied."""
    data = bytearray(wanted)
    place = 0
    while place < wanted:
        found = file.read(min(AT_ONCE, wanted - place))
        if not found:
            raise ValueError(f"it has {place:,} of {wanted:,} bytes; is the file complete?")
        data[place : place + len(found)] = found
        place += len(found)
    return data


def _demand_characters(texts: npt.NDArray[Any]) -> None:
    """Refuse texts with numbers that are no characters: Python fails at the sight of them."""
    if texts.dtype.names:
        for name in texts.dtype.names:
            _demand_characters(np.ascontiguousarray(texts[name]).ravel())
    elif texts.dtype.kind == "U" and texts.size and texts.dtype.itemsize:
        codes = np.ascontiguousarray(texts).view(np.dtype(np.uint32).newbyteorder(texts.dtype.byteorder))
        if codes.max() > sys.maxunicode:
            raise ValueError(f"its texts have a character with the number {codes.max():,}, which does not exist")


@contextmanager
def _plain_words() -> Iterator[None]:
    """Exceptions of zipfile and NumPy on damaged files, raised as ValueError."""
    try:
        yield
    except _UNREADABLE as error:
        raise ValueError(f"{error}" if str(error) else type(error).__name__) from error
