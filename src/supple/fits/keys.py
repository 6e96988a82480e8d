"""Parameters of a scene by key: which ones are differentiable, and why others are not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from supple.errors import SceneError, SuppleError
from supple.errors import did_you_mean as nearest
from supple.scene.text.override import parse
from supple.wording import shown

FIXED = {
    "integrator": "belongs to the method",
    "solver": "belongs to the solver",
    "time": "belongs to the steps",
    "record": "controls recording",
    "limits": "limits the size of a run",
    "expect": "is a check of the run",
}
"""Tables whose values are not part of the system."""
CHOOSING = ("groups", "points")
"""Tables whose values select vertices or particles: their effect is discontinuous."""
OF_REGIONS = ("young", "poisson", "density", "stiffer", "denser")
"""Parameters of a region that do not define its extent."""
NAMED = 12
"""Largest number of keys listed in an error message."""

Parts = tuple[str | int, ...]


def parts_of(key: str) -> Parts:
    """`body[0].material.young` as its parts."""
    try:
        parts = parse(f"{key}=0").parts
    except SceneError:
        parts = (0,)
    if isinstance(parts[0], int):  # a number, such as 0.5
        raise SuppleError(f"'{key}': is not a key; give one such as body[0].material.young")
    return parts


def text_of(parts: Parts) -> str:
    text = ""
    for part in parts:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def numbers_at(tables: dict[str, Any], key: str) -> list[tuple[Parts, float]]:
    """The value under a key, or the three of a vector; refuses values without a derivative."""
    parts = parts_of(key)
    name = text_of(parts)
    if parts[0] in FIXED:
        raise SuppleError(
            f"{name}: {FIXED[str(parts[0])]}: a run has no derivative with respect to it; {_offer(tables, name)}"
        )
    if _chooses(parts):
        raise SuppleError(f"{name}: selects vertices or elements, so it has no derivative; {_offer(tables, name)}")
    value = _found(tables, parts)
    if isinstance(value, list | tuple) and value and all(_is_number(one) for one in value):
        return [((*parts, k), float(one)) for k, one in enumerate(value)]
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise SuppleError(f"{name}: is not a number but {shown(value)}; {_offer(tables, name)}")
    if isinstance(value, int):
        raise SuppleError(f"{name}: is a whole number, {value}: it has no derivative; {_offer(tables, name)}")
    return [(parts, float(value))]


def put(tables: Any, parts: Parts, value: float) -> None:
    """Set an existing value."""
    here = tables
    for part in parts[:-1]:
        here = here[part]
    here[parts[-1]] = value


def _found(tables: dict[str, Any], parts: Parts) -> Any:
    here: Any = tables
    for part in parts:
        try:
            here = here[part]
        except (KeyError, IndexError, TypeError):
            name = text_of(parts)
            raise SuppleError(f"{name}: the scene has no value there; {_offer(tables, name)}") from None
    return here


def _offer(tables: dict[str, Any], name: str) -> str:
    """The nearest parameters of the scene, as text."""
    known = [text_of(parts) for parts in _numbers(tables, ())]
    body = [k for k in known if not k.startswith(("world", "obstacle"))] or known
    near = nearest(name, known).removeprefix(";").strip()
    listed = ", ".join(body[:NAMED]) + (" ..." if len(body) > NAMED else "")
    return f"{near} parameters of this scene: {listed}".strip()


def _numbers(value: Any, parts: Parts) -> Iterator[Parts]:
    """Keys of all differentiable parameters and vectors."""
    if parts[:1] and parts[0] in FIXED:
        return
    if isinstance(value, dict):
        for key, entry in value.items():
            yield from _numbers(entry, (*parts, key))
    elif isinstance(value, list | tuple):
        if value and all(_is_number(entry) for entry in value):
            yield from () if _chooses(parts) else (parts,)
        else:
            for k, entry in enumerate(value):
                yield from _numbers(entry, (*parts, k))
    elif _is_number(value) and not _chooses(parts):
        yield parts


def _chooses(parts: Parts) -> bool:
    """Whether a value selects vertices or elements."""
    if "regions" in parts:
        return parts[-1] not in OF_REGIONS
    return any(part in CHOOSING for part in parts[2:])


def _is_number(value: Any) -> bool:
    return isinstance(value, float)
