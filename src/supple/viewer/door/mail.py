"""Accepted client messages: camera, drag, and values of panel elements. Everything else is refused.

The page library would accept more: any attribute of an element, files, a public tunnel. None of it is needed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import msgspec.msgpack
from viser import _messages
from viser.infra import Message

from supple.errors import SuppleError

LARGEST = 1e12
"""Largest magnitude of any number from a client: positions [m], sizes of windows [pixels]."""
LONGEST = 200
"""Largest length of any text from a client."""
NUMBERS: dict[type[Message], dict[str, int]] = {
    _messages.ViewerCameraMessage: {
        "wxyz": 4, "position": 3, "look_at": 3, "up_direction": 3,
        "fov": 0, "near": 0, "far": 0, "image_height": 0, "image_width": 0,
    },
    _messages.SceneNodeDragMessage: {
        "start_position": 3, "end_position": 3, "start_screen_pos": 2, "end_screen_pos": 2,
    },
}  # fmt: skip
"""Fields and their number of values; 0: a scalar."""
PHASES = ("start", "update", "end")


class Refused(SuppleError):
    """A message that is refused."""


class Garbage(Refused):
    """Bytes that are not a message: not from one of our pages."""


def read_mail(raw: bytes | str) -> Message | None:
    """The message decoded from client data; None for kinds that have no effect here."""
    if isinstance(raw, str):
        raise Garbage("text instead of a message")
    try:
        mapping = msgspec.msgpack.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Garbage("bytes that are not a message") from error
    if not isinstance(mapping, dict) or not isinstance(mapping.get("type"), str):
        raise Garbage("a message without a type")
    kind = next((kind for kind in (*NUMBERS, _messages.GuiUpdateMessage) if kind.__name__ == mapping["type"]), None)
    if kind is None:
        return None
    for name, count in NUMBERS.get(kind, {}).items():
        _check_numbers(name, mapping.get(name), count)
    if kind is _messages.SceneNodeDragMessage:
        _check_drag(mapping)
    try:
        return _messages.Message.deserialize(raw)
    except (TypeError, ValueError, KeyError, OverflowError) as error:
        raise Garbage(f"a {kind.__name__} with unknown fields") from error


def check_value(handle: Any, updates: Any) -> None:
    """Refuse values of a panel element that the page does not offer."""
    if not isinstance(updates, dict) or set(updates) != {"value"}:
        raise Refused("only the value of an element can be changed")
    value, label = updates["value"], getattr(handle, "label", "value")
    options = getattr(handle, "options", None)
    if options is not None:
        if value not in options:
            raise Refused(f"{label}: not one of the choices")
    elif hasattr(handle, "min") and hasattr(handle, "max"):
        _check_number(label, value)
        slack = 1e-9 * (handle.max - handle.min)  # browsers accumulate increments
        if not handle.min - slack <= value <= handle.max + slack:
            raise Refused(f"{label}: give a number from {handle.min:g} to {handle.max:g}")
    elif isinstance(getattr(handle, "value", None), bool):
        if not isinstance(value, bool):
            raise Refused(f"{label}: give true or false")
    elif isinstance(getattr(handle, "value", None), str):
        _check_text(label, value)
    else:
        raise Refused(f"{label}: cannot be changed")


def _check_drag(mapping: dict[str, Any]) -> None:
    _check_text("name", mapping.get("name"))
    index = mapping.get("instance_index")
    if index is not None and (isinstance(index, bool) or not isinstance(index, int)):
        raise Refused("instance_index: not an instance index")
    if mapping.get("phase") not in PHASES:
        raise Refused("phase: not one of start, update and end")


def _check_numbers(name: str, given: Any, count: int) -> None:
    if count == 0:
        _check_number(name, given)
        return
    if not isinstance(given, Sequence) or isinstance(given, str | bytes) or len(given) != count:
        raise Refused(f"{name}: not {count} numbers")
    for value in given:
        _check_number(name, value)


def _check_number(name: str, value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Refused(f"{name}: not a number")
    if not math.isfinite(value) or abs(value) > LARGEST:
        raise Refused(f"{name}: not finite, or beyond {LARGEST:g}")


def _check_text(name: str, value: Any) -> None:
    if not isinstance(value, str) or len(value) > LONGEST or not value.isprintable():
        raise Refused(f"{name}: not a text of at most {LONGEST} printable characters")
