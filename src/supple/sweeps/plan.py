"""The plan of a sweep: a scene, its varied keys and its measures, as data for a manifest."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from supple import toml
from supple.errors import MeshError, SceneError, SuppleError
from supple.paths import Fence
from supple.scene.tables.scene import Scene
from supple.scene.text.load import dump_scene, fence_of, find_scene, read_scene, scene_tables
from supple.scene.text.override import typed_values
from supple.sweeps.axes import Axis
from supple.sweeps.designs import Design, Variant, variants
from supple.sweeps.measures import Measure
from supple.sweeps.parcel import Parcel, pack, packed_tables

MANY = 10_000
"""Runs above which a sweep must be confirmed."""
SCENE = "scene"
"""Key of the axis that chooses among several scenes."""


@dataclass(frozen=True)
class Base:
    """The scene that varies: its tables before any value is set, and the folder of its files."""

    tables: dict[str, Any] = field(repr=False)
    folder: Path
    source: str
    settings: tuple[str, ...] = ()
    fence: Fence | None = None
    """Which files the tables may name; None if they were checked before."""
    typed: bool = True
    """Whether the user typed the values of a run, which may then name any file; values in a file may not."""

    @classmethod
    def of_file(cls, source: str | Path, settings: Sequence[str] = (), typed: bool = True) -> Base:
        file = find_scene(source)
        fence = fence_of(file, settings if typed else ())
        return cls(scene_tables(file)[0], fence.folder, str(source), tuple(settings), fence, typed)

    @classmethod
    def of_scene(cls, scene: Scene) -> Base:
        return cls(tomllib.loads(dump_scene(scene)), scene.folder, scene.source)

    def scene(self, overrides: Sequence[str], steps: int | None) -> Scene:
        """The scene with other values."""
        fence = self.fence.with_typed(typed_values(overrides)) if self.fence and self.typed else self.fence
        scene = read_scene(self.tables, self.folder, self.source, [*self.settings, *overrides], fence)
        return scene if steps is None else scene.lasting(steps)

    def packed(self) -> tuple[dict[str, Any], dict[str, bytes]]:
        """The form for a manifest, with files named by content; and those contents."""
        tables, contents = packed_tables(self.tables, self.folder, self.fence)
        return {"scene": toml.document(tables), "source": self.source, "settings": list(self.settings)}, contents


@dataclass(frozen=True)
class Plan:
    """The definition of a sweep."""

    base: Base
    axes: tuple[Axis, ...]
    design: Design
    measures: tuple[Measure, ...]
    steps: int | None = None
    threads: int = 1
    """Threads per run; 0: chosen by system size."""
    others: dict[str, Base] = field(default_factory=dict)
    """Scenes in addition to the base, by their name on the axis `scene`."""
    names: tuple[str, ...] = ()
    """Names of the runs, in a comparison."""

    @cached_property
    def variants(self) -> list[Variant]:
        return variants(self.axes, self.design)

    def check(self, many: bool = False) -> Iterator[int]:
        """Refuse invalid values before anything starts; yields the number of checked variants."""
        count = self.design.count(self.axes)
        if count > MANY and not many:
            raise SuppleError(f"sweep: {count:,} runs are more than {MANY:,}; confirm them with --yes")
        for variant in self.variants:
            try:
                self.scene(variant)
            except SceneError as error:
                raise SceneError(
                    [f"run {variant.index} ({label(variant.values)}): {line}" for line in error.problems]
                ) from None
            yield variant.index + 1
        self._check_groups()

    def _check_groups(self) -> None:
        """Groups belong to meshes, so the first run is assembled if a measure uses one."""
        asked = [(measure, group) for measure in self.measures for group in measure.groups]
        if not asked:
            return
        mesh = self.scene(self.variants[0]).make().assemble().mesh
        for measure, group in asked:
            try:
                mesh.group(group)
            except MeshError as error:
                raise SuppleError(f"measure '{measure.text}': {error}") from None

    def scene(self, variant: Variant) -> Scene:
        base = self.others.get(variant.values.get(SCENE, ""), self.base)
        return base.scene(variant.overrides, self.steps)

    def parcel(self, index: int) -> Parcel:
        """A run as sent to a worker."""
        return pack(self.scene(self.variants[index]))

    def plain(self) -> dict[str, Any]:
        """The form for a manifest; the scene's files are named by content."""
        return {
            **self.base.packed()[0],
            "axes": [{"kind": type(axis).__name__.lower(), **asdict(axis)} for axis in self.axes],
            "design": {"kind": type(self.design).__name__.lower(), **asdict(self.design)},
            "measures": {measure.name: None if measure.function else measure.text for measure in self.measures},
            "steps": self.steps,
            "threads": self.threads,
            "others": {word: base.packed()[0] for word, base in self.others.items()},
            "names": list(self.names),
        }

    def contents(self) -> dict[str, bytes]:
        """Files of its scenes, by name."""
        bases = (self.base, *self.others.values())
        return {name: data for base in bases for name, data in base.packed()[1].items()}


def label(values: dict[str, Any]) -> str:
    """Short label of the values of a run: the distinguishing ends of the keys."""
    return ", ".join(
        f"{short}={in_words(value)}" for short, value in zip(short_keys(list(values)), values.values(), strict=True)
    )


def short_keys(keys: Sequence[str]) -> list[str]:
    """The shortest distinguishing ends of dotted keys."""
    found = []
    for key in keys:
        parts = key.split(".")
        ends = (".".join(parts[-n:]) for n in range(1, len(parts) + 1))
        found.append(next((e for e in ends if sum(k == e or k.endswith(f".{e}") for k in keys) == 1), key))
    return found


def in_words(value: Any) -> str:
    """A value as label text."""
    return f"{value:.4g}" if isinstance(value, float) else str(value)
