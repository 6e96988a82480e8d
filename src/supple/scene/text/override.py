"""`--set KEY=VALUE`: change a scene before it is checked, with the same messages and types as in the file."""

from __future__ import annotations

import copy
import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, get_type_hints

from supple.adaptive import RULES
from supple.errors import SceneError
from supple.integrators import INTEGRATORS
from supple.integrators.method import Method
from supple.model.presets.published import published
from supple.scene.text.bounds import demand_plain, demand_short_keys, read_toml, too_deep
from supple.wording import shown

_KEY = re.compile(r"[^.\[\]]+(\.[^.\[\]]+|\[\d{1,18}\])*")
_PART = re.compile(r"\[(\d+)\]|([^.\[\]]+)")
_INDEX = re.compile(r"\d{1,18}")
_CHOOSING = {
    "material": ("name",),
    "mesh": ("shape", "file"),
    "integrator": ("name",),
    "damping": ("name",),
    "field": ("name",),
    "obstacle": ("shape",),
}
"""Keys that select the kind of table."""
_SHARED = {
    "material": ("young", "poisson"),
    "integrator": ("budget", "adaptive"),
    "damping": ("bodies",),
    "field": ("strength", "bodies", "start", "stop", "fade"),
    "obstacle": (
        "name",
        "law",
        "distance",
        "stiffness",
        "per",
        "thickness",
        "friction",
        "creep",
        "restitution",
        "bodies",
    ),
}
"""Keys with the same meaning in all tables of a kind."""
_SHARED_BY_WORDS = ("stiffer", "denser", "damping")
"""Keys of all material presets."""
_FREE = frozenset({"formula", "formula-membrane", "formula-spring"})
"""Names of tables in which every other key is a constant, so keys of other tables have no meaning."""


@dataclass(frozen=True)
class Override:
    """One key, split into parts, and its new value."""

    text: str
    parts: tuple[str | int, ...]
    value: Any

    @property
    def chooses(self) -> bool:
        """Whether it selects the integrator, material, mesh or damping, and thereby the other allowed keys."""
        return self.parts[-1] in _CHOOSING.get(self.table, ())

    @property
    def table(self) -> str:
        """Kind of the table that contains the key."""
        path = self.parts[:-1]
        if path[:1] in (("damping",), ("field",), ("obstacle",)) and len(path) == 2:
            return str(path[0])
        return "integrator" if _is_integrator(path) else str(("", *path)[-1])


def parse(text: str) -> Override:
    """`body[0].density=900` or `body.0.density=900`; the value is TOML, or else a plain string."""
    key, equals, value = (part.strip() for part in text.partition("="))
    if not equals or not _KEY.fullmatch(key):
        raise SceneError(f"--set {text}: give KEY=VALUE, such as time.step=0.01 or body[0].density=900")
    demand_short_keys(text, f"--set {key[:40]}")
    parts = [
        int(index) if index else int(word) if _INDEX.fullmatch(word) else word for index, word in _PART.findall(key)
    ]
    return Override(text, tuple(parts), toml_value(value))


def typed_values(texts: Sequence[str]) -> list[Any]:
    """Values in `KEY=VALUE` texts."""
    return [parse(text).value for text in texts]


def apply(data: dict[str, Any], overrides: Sequence[str]) -> dict[str, Any]:
    """The scene with all overrides set, in any order: those that select a method first, outer tables before inner."""
    for text in overrides:
        demand_plain(text, "--set")
    result = copy.deepcopy(data)
    for override in sorted(map(parse, overrides), key=lambda o: (not o.chooses, len(o.parts))):
        demand_plain(override.value, f"--set {shown(override.text.partition('=')[0])}")
        _set(result, override)
    return result


def _is_integrator(path: tuple[str | int, ...]) -> bool:
    """Whether a table is the scene's integrator or one nested in it."""
    return path[:1] == ("integrator",) and (len(path) == 1 or _held().issuperset(path[1:]))


def _is_rule(path: tuple[str | int, ...], value: str) -> bool:
    """Whether a name is that of a time-step rule; other options are called `rule` too."""
    return path == ("integrator", "rule") and RULES.lookup(value) is not None


@cache
def _held() -> frozenset[str | int]:
    """Keys under which an integrator may contain another one."""
    hints = (hint for cls in INTEGRATORS.load().values() for hint in get_type_hints(cls).items())
    return frozenset(key for key, hint in hints if hint is Method)


def toml_value(text: str) -> Any:
    """The value as TOML, or else the text itself."""
    try:
        values = read_toml(f"value = {text}")
    except tomllib.TOMLDecodeError:
        return text
    except RecursionError:
        raise too_deep("--set") from None
    return values["value"] if len(values) == 1 else text


def _set(data: dict[str, Any], override: Override) -> None:
    here: Any = data
    path = ""
    for depth, part in enumerate(override.parts):
        key = _entry(here, part, path, override)
        path += f"[{key}]" if isinstance(key, int) else f".{key}" if path else key
        if depth == len(override.parts) - 1:
            _put(here, key, override)
        elif isinstance(here, dict):
            here[key] = _opened(here.get(key, {}), override.parts[: depth + 1])
        here = here[key]


def _opened(value: Any, path: tuple[str | int, ...]) -> Any:
    """The same; a table written as one word (a material, the name of an inner integrator, of a rule or of
    a transfer, a budget that is true) is expanded."""
    if path in (("integrator", "budget"), ("integrator", "adaptive")) and isinstance(value, bool):
        return {}
    if not isinstance(value, str) or len(path) < 2:
        return value
    bare = path[-1] == "material" or path == ("integrator", "transfer") or _is_integrator(path) or _is_rule(path, value)
    return {"name": value} if bare else value


def _entry(here: Any, part: str | int, path: str, override: Override) -> str | int:
    """The part as a key of a table or an index of a list."""
    if isinstance(here, dict):
        return str(part)
    if not isinstance(here, list):
        raise SceneError(f"--set {override.text}: {path} is {here!r}, which has no '{part}' inside")
    if not isinstance(part, int):
        raise SceneError(f"--set {override.text}: {path} is a list; select an entry, such as {path}[0].{part}")
    if part >= len(here):
        raise SceneError(
            f"--set {override.text}: {path}[{part}] does not exist; {path} has {len(here)} entries, numbered from 0"
        )
    return part


def _put(table: Any, key: str | int, override: Override) -> None:
    if override.chooses and table.get(key) != override.value:
        # the options of another method would only be unknown keys here
        name = override.value if isinstance(override.value, str) else ""  # other values are refused with the table
        word = override.table == "material" and name in published()
        shared = _SHARED_BY_WORDS if word else () if name in _FREE else _SHARED.get(override.table, ())
        kept = {k: v for k, v in table.items() if k in shared}
        table.clear()
        table.update(kept)
    table[key] = override.value
