"""The plan of a sweep: a scene, what varies in it, and what is measured; as data that a manifest keeps."""

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
from supple.sweeps.axes import Axis, Choice, Listed, Range
from supple.sweeps.designs import Design, Grid, Sampled, Together, Variant, variants
from supple.sweeps.measures import Measure
from supple.sweeps.parcel import Parcel, pack, packed_tables

MANY = 10_000
"""Runs above which a sweep must be confirmed."""
_DESIGNS: dict[str, type[Any]] = {"grid": Grid, "together": Together, "sampled": Sampled}
_AXES: dict[str, type[Any]] = {"listed": Listed, "range": Range, "choice": Choice}
SCENE = "scene"
"""Key of the axis that chooses among several scenes."""


@dataclass(frozen=True)
class Base:
    """The scene that varies: its tables before any value is set, and where its files are looked for."""

    tables: dict[str, Any] = field(repr=False)
    folder: Path
    source: str
    settings: tuple[str, ...] = ()
    fence: Fence | None = None
    """Which files the tables may name; None if they were checked before."""
    typed: bool = True
    """Whether the values of a run are the user's own words, which may name any file, rather than those of a file."""

    @classmethod
    def of_file(cls, source: str | Path, settings: Sequence[str] = (), typed: bool = True) -> Base:
        file = find_scene(source)
        fence = fence_of(file, settings if typed else ())
        return cls(scene_tables(file)[0], fence.folder, str(source), tuple(settings), fence, typed)

    @classmethod
    def of_scene(cls, scene: Scene) -> Base:
        return cls(tomllib.loads(dump_scene(scene)), scene.folder, scene.source)

    def scene(self, overrides: Sequence[str], steps: int | None) -> Scene:
        """With other values."""
        fence = self.fence.with_typed(typed_values(overrides)) if self.fence and self.typed else self.fence
        scene = read_scene(self.tables, self.folder, self.source, [*self.settings, *overrides], fence)
        return scene if steps is None else scene.lasting(steps)

    def packed(self) -> tuple[dict[str, Any], dict[str, bytes]]:
        """As a manifest keeps it, with files named by content; and those contents."""
        tables, contents = packed_tables(self.tables, self.folder, self.fence)
        return {"scene": toml.document(tables), "source": self.source, "settings": list(self.settings)}, contents

    @classmethod
    def read(cls, data: dict[str, Any], folder: Path) -> Base:
        settings = tuple(data["settings"])
        return cls(tomllib.loads(data["scene"]), folder, data["source"], settings, Fence(folder.resolve()), typed=False)


@dataclass(frozen=True)
class Plan:
    """What a sweep is asked for."""

    base: Base
    axes: tuple[Axis, ...]
    design: Design
    measures: tuple[Measure, ...]
    steps: int | None = None
    threads: int = 1
    """Of each run; 0 leaves them to the size of the system."""
    others: dict[str, Base] = field(default_factory=dict)
    """Scenes beside the base, by their word on the axis `scene`."""
    names: tuple[str, ...] = ()
    """Of the runs, where they have some: the words of a comparison."""

    @cached_property
    def variants(self) -> list[Variant]:
        return variants(self.axes, self.design)

    def check(self, many: bool = False) -> Iterator[int]:
        """Refuse what no run could take, before anything starts; yields how many variants are checked."""
        count = self.design.count(self.axes)
        if count > MANY and not many:
            raise SuppleError(f"sweep: {count:,} runs are more than {MANY:,}; if they are meant, say --yes")
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
        """Groups belong to meshes, so that the first run is assembled if a measure asks for one."""
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
        """A run as it travels."""
        return pack(self.scene(self.variants[index]))

    def plain(self) -> dict[str, Any]:
        """As a manifest keeps it; the scene's files are named by content."""
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


def read_plan(data: dict[str, Any], folder: Path, measures: tuple[Measure, ...] | None = None) -> Plan:
    """The plan that a manifest has kept; `measures` replace those that are Python functions."""
    return Plan(
        Base.read(data, folder),
        tuple(_made(_AXES, axis) for axis in data["axes"]),
        _made(_DESIGNS, data["design"]),
        measures if measures is not None else _kept_measures(data["measures"]),
        data["steps"],
        data["threads"],
        {word: Base.read(other, folder) for word, other in data.get("others", {}).items()},
        tuple(data.get("names", ())),
    )


def label(values: dict[str, Any]) -> str:
    """Values of a run in a few words: the ends of the keys, as far as they differ."""
    return ", ".join(
        f"{short}={in_words(value)}" for short, value in zip(short_keys(list(values)), values.values(), strict=True)
    )


def short_keys(keys: Sequence[str]) -> list[str]:
    """The shortest ends of dotted keys that tell them apart."""
    found = []
    for key in keys:
        parts = key.split(".")
        ends = (".".join(parts[-n:]) for n in range(1, len(parts) + 1))
        found.append(next((e for e in ends if sum(k == e or k.endswith(f".{e}") for k in keys) == 1), key))
    return found


def _made(kinds: dict[str, type[Any]], data: dict[str, Any]) -> Any:
    """What JSON has kept; its lists were tuples."""
    return kinds[data["kind"]](
        **{key: tuple(value) if isinstance(value, list) else value for key, value in data.items() if key != "kind"}
    )


def _kept_measures(data: dict[str, str | None]) -> tuple[Measure, ...]:
    lost = [name for name, text in data.items() if text is None]
    if lost:
        raise SuppleError(
            f"measure '{lost[0]}': it is a Python function, which the manifest cannot keep; go on from Python: "
            "supple.resume_sweep(folder, measure={...})"
        )
    return tuple(Measure(name, text or "") for name, text in data.items())


def in_words(value: Any) -> str:
    """A value as labels have it."""
    return f"{value:.4g}" if isinstance(value, float) else str(value)
