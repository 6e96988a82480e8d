"""Damage to the bytes of a file: cut, flipped, repeated, with numbers that no program writes."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable
from random import Random

ODD = (
    b"nan", b"inf", b"-inf", b"1e300", b"-1e300", b"1e-320", b"-1", b"0", b"-0.0", b"4294967296", b"2147483647", b"1e999",
    b"99999999999999999999", b"-2147483649", b"1_000", b"0x10", b"\xd9\xa1", b"", b"abc", b"1.5", b"1e3", b"\xff\xfe", b"\0",
)  # fmt: skip
"""In place of a number in a text."""
COUNTS = (0, 1, 2, 0x7FFFFFFF, 0xFFFFFFFF, 0x80000000, 0x10000000, 1000, 3, 255)
"""In place of four bytes."""
_NUMBER = re.compile(rb"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")


def cut(data: bytes, random: Random) -> bytes:
    return data[: random.randrange(len(data) + 1)]


def headless(data: bytes, random: Random) -> bytes:
    return data[random.randrange(len(data) + 1) :]


def flipped(data: bytes, random: Random) -> bytes:
    """A few bytes are others."""
    made = bytearray(data)
    for _ in range(random.choice((1, 1, 2, 4, 16))):
        if made:
            made[random.randrange(len(made))] = random.randrange(256)
    return bytes(made)


def counted(data: bytes, random: Random) -> bytes:
    """Four or eight bytes, often near the head, are another count."""
    made, size = bytearray(data), random.choice((4, 4, 8))
    if len(made) < size:
        return bytes(made)
    reach = min(len(made) - size, random.choice((64, 256, len(made))))
    place = random.randint(0, reach)
    value = random.choice(COUNTS)
    form = random.choice("<>") + ("I" if size == 4 else "Q")
    made[place : place + size] = struct.pack(form, value << random.choice((0, 0, 24)) if size == 8 else value)
    return bytes(made)


def renumbered(data: bytes, random: Random) -> bytes:
    """Numbers in a text are odd ones."""
    found = list(_NUMBER.finditer(data[:200_000]))
    made = data
    for match in sorted(random.sample(found, min(len(found), random.choice((1, 1, 2, 5)))), key=lambda m: -m.start()):
        made = made[: match.start()] + random.choice(ODD) + made[match.end() :]
    return made


def without_line(data: bytes, random: Random) -> bytes:
    lines = data.split(b"\n")
    del lines[random.randrange(len(lines))]
    return b"\n".join(lines)


def repeated(data: bytes, random: Random) -> bytes:
    """A piece comes again, a few times or very often."""
    start = random.randrange(len(data) + 1)
    piece = data[start : start + random.choice((1, 8, 40, 400))]
    times = random.choice((1, 2, 10, 30_000)) if len(piece) < 50 else random.choice((1, 2, 20))
    return data[:start] + piece * times + data[start:]


def swapped_lines(data: bytes, random: Random) -> bytes:
    lines = data.split(b"\n")
    random.shuffle(lines)
    return b"\n".join(lines)


def long_line(data: bytes, random: Random) -> bytes:
    lines = data.split(b"\n")
    place = random.randrange(len(lines))
    lines[place] += random.choice((b"1 ", b"x", b"9", b"1/1/1 ", b"#", b"\xc3\xa9", b"-", b"(", b"\\")) * 500_000
    return b"\n".join(lines)


def encoded(data: bytes, random: Random) -> bytes:
    """The same text as another encoding or with other ends of lines."""
    text = data.decode("latin-1")
    return random.choice(
        (
            lambda: text.encode("utf-16"),
            lambda: data.replace(b"\n", b"\r"),
            lambda: b"\xef\xbb\xbf" + data,
            lambda: data.replace(b"\n", b"\0"),
            lambda: data.replace(b" ", b"\xa0"),
            lambda: data.upper(),
            lambda: data.replace(b".", b","),
        )
    )()


def replaced(data: bytes, random: Random) -> bytes:
    """Something else altogether."""
    return random.choice(
        (b"", b"\0" * 300, random.randbytes(300), b"{" * 5000, b"[" * 5000, b"<a>" * 5000, b"\n" * 1000)
    )


GARBLINGS: tuple[Callable[[bytes, Random], bytes], ...] = (
    cut, headless, flipped, counted, renumbered, renumbered, without_line, repeated, swapped_lines, long_line, encoded,
    replaced,
)  # fmt: skip


def garbled(data: bytes, random: Random) -> bytes:
    """The bytes with one kind of damage, or two."""
    for _ in range(random.choice((1, 1, 1, 2))):
        data = random.choice(GARBLINGS)(data, random)
    return data
