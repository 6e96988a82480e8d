"""From a name or a file to a checked scene, and back to text."""

from __future__ import annotations

import hashlib
import json
import os
import re
import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from supple import toml
from supple.errors import SceneError
from supple.mesh.stages.stage import is_stage
from supple.model.presets.published import published
from supple.ownership import marks
from supple.paths import Fence, allow_paths
from supple.scene.stages.tables import stage_tables
from supple.scene.text.bounds import demand_plain, demand_short_keys, read_bounded, read_toml, too_deep
from supple.scene.text.named_files import find_files, outside
from supple.scene.text.override import apply, typed_values
from supple.scene.text.plugins import check_named
from supple.scene.text.problems import problems
from supple.scene.text.shipped import shipped_scenes
from supple.wording import suggestion

if TYPE_CHECKING:
    from supple.scene.tables.scene import Scene

NOT_PHYSICS: dict[str, Any] = {
    "title": True,
    "description": True,
    "expect": True,
    "limits": True,
    "plugins": True,
    "time": {"duration"},
    "record": {"checkpoint_seconds"},
    "body": {"__all__": {"colour": True, "mesh": {"skin"}, "surface": True}},
    "obstacle": {"__all__": {"colour"}},
}
"""Tables that may change when a run is resumed."""
_BY_CONTENT = re.compile(r'"[^"]*/files/([^"/]+-[0-9a-f]{16}\.[^"/]+)"')
"""Files of sweeps, named by their content, so their folder does not matter."""


def load_scene(
    source: str | Path, overrides: Sequence[str] = (), allow: Iterable[str | os.PathLike[str]] = ()
) -> Scene:
    """A shipped scene by its name or any other by its path, with `KEY=VALUE` overrides, validated as a whole.

    The scene may name files below its own folder; files named in overrides may be anywhere. allow: further folders, for
    all files that this process reads. A USD stage is a scene too: see `supple.scene.stages`.
    """
    allow_paths(*allow)
    file = find_scene(source)
    tables, notes = scene_tables(file)
    fence = fence_of(file, overrides)
    return read_scene(tables, fence.folder, str(source), overrides, fence).remarked(notes)


def fence_of(file: Path, typed: Sequence[str] = ()) -> Fence:
    """Files that a scene file may name, in addition to those in the user's `KEY=VALUE` overrides."""
    return Fence.around(file, typed_values(typed))


def scene_tables(file: Path) -> tuple[dict[str, Any], list[str]]:
    """The tables in a scene file or a USD stage, before validation, and notes on their conversion."""
    return stage_tables(file) if is_stage(file) else (parse_toml(file), [])


def read_scene(
    data: dict[str, Any], folder: Path, source: str = "", overrides: Sequence[str] = (), fence: Fence | None = None
) -> Scene:
    """Check a scene that is already a dictionary; relative mesh files are searched in `folder`.

    fence: the files it may name; None for tables that were already checked or belong to the user.
    """
    from supple.scene.tables.scene import scene_model

    demand_plain(data)
    data = apply(data, overrides)
    demand_plain(data)
    named = data.get("plugins", [])
    if isinstance(named, list) and all(isinstance(entry, str) for entry in named):
        plugins = check_named(named, folder)
        data = {**data, "plugins": list(plugins)} if plugins else data
    missing = find_files(data, folder, fence)
    model = scene_model()
    try:
        scene = model.model_validate(data)
    except ValidationError as error:
        raise SceneError([*problems(error, model), *missing]) from None
    if missing:
        raise SceneError(missing)
    return scene.located(source, folder)


def find_scene(source: str | Path) -> Path:
    """The file of a scene: a path if it has the suffix of TOML or USD, or contains a folder; otherwise a shipped name."""
    text = os.fspath(source)
    if isinstance(source, Path) or text.endswith(".toml") or is_stage(text) or os.sep in text or "/" in text:
        return Path(source)
    known = shipped_scenes()
    if text not in known:
        raise SceneError(f"unknown scene '{text}'{suggestion(text, known)}; for a file give its path: ./{text}.toml")
    return known[text]


def parse_toml(file: Path) -> dict[str, Any]:
    """The file as a dictionary; an error shows the line that is not TOML."""
    try:
        text = read_bounded(file)
    except FileNotFoundError:
        raise SceneError(f"{file}: no such scene file; `supple scenes` lists the shipped ones") from None
    except (OSError, UnicodeDecodeError) as error:
        raise SceneError(f"{file}: cannot be read as a scene: {error}") from None
    demand_short_keys(text, str(file))
    try:
        return read_toml(text)
    except RecursionError:
        raise too_deep(str(file)) from None
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"at line (\d+)", str(error))
        line = text.splitlines()[int(place[1]) - 1].strip() if place else ""
        raise SceneError(f"{file}: not TOML: {error}" + (f": {line}" if line else "")) from None


def dump_scene(scene: Scene) -> str:
    """The scene with every default written out, as TOML that loads back to an equal scene."""
    tables = scene.model_dump(exclude_none=True)
    return marks(outside(tables, scene.folder)) + toml.document(tables)


def dump_short(scene: Scene) -> str:
    """The scene without default values, for reading; TOML that loads back to an equal scene."""
    tables = scene.model_dump(exclude_none=True, exclude_defaults=True)
    text = marks(outside(tables, scene.folder)) + toml.document(tables)
    try:
        same = read_scene(tomllib.loads(text), scene.folder) == scene
    except SceneError:  # a default that depends on other keys
        same = False
    return text if same else dump_scene(scene)


def scene_hash(scene: Scene) -> str:
    """A digest of everything that affects the motion or its frames, except the duration."""
    # defaults are omitted, so a later version with more keys gives the same digest
    plain = scene.model_dump(mode="json", exclude=NOT_PHYSICS, exclude_defaults=True, exclude_none=True)
    words = {word: published()[word].physics() for body in scene.make().world.bodies for word in body.words}
    if words:  # a later version may have other values for them
        plain["words"] = words
    text = _BY_CONTENT.sub(r'"\1"', json.dumps(plain, sort_keys=True))
    return hashlib.sha256(text.encode()).hexdigest()
