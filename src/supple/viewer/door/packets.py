"""Message windows packed into bytes, once for all clients that get the same window."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Sequence

import msgspec.msgpack
import zstandard
from viser.infra import Message

KEPT = 8
"""Number of cached windows: clients that keep up request the same one almost simultaneously."""
ALIGNMENT = 8


class Packets:
    """The last windows, packed."""

    def __init__(self) -> None:
        self._packed: OrderedDict[tuple[int, ...], tuple[Sequence[Message], bytes]] = OrderedDict()
        self._zstd = zstandard.ZstdCompressor(level=1)
        self.made = 0
        """Windows packed so far."""

    def pack(self, window: Sequence[Message]) -> bytes:
        """The bytes of a window; messages are immutable once sent."""
        key = tuple(map(id, window))
        found = self._packed.get(key)
        if found is None:
            found = self._packed[key] = (tuple(window), self._pack(window))  # kept messages keep their numbers
            if len(self._packed) > KEPT:
                self._packed.popitem(last=False)
        return found[1]

    def _pack(self, window: Sequence[Message]) -> bytes:
        """Two lengths, the compressed description, and the raw arrays, aligned to eight bytes."""
        self.made += 1
        arrays: list[memoryview] = []
        messages = tuple(message.as_serializable_dict(arrays) for message in window)
        described = msgspec.msgpack.encode(
            {
                "messages": messages,
                "timestampSec": time.perf_counter(),
                "binaryBufferLengths": tuple(array.nbytes for array in arrays),
            }
        )
        short = self._zstd.compress(described)
        parts: list[bytes | memoryview] = [
            len(described).to_bytes(8, "little"),
            len(short).to_bytes(8, "little"),
            short,
        ]
        length = 16 + len(short)
        for array in arrays:
            gap = -length % ALIGNMENT
            parts += [bytes(gap), array]
            length += gap + array.nbytes
        return b"".join(parts)
