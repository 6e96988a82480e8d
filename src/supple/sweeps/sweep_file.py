"""A sweep as a file: scene, varied keys and measures.

scene = "cantilever"                      # a shipped scene, or a path from this file
set = ["time.duration=0.5"]
measure = ["total@drift", "sag = beam.right.y@min"]

[vary]
"body.0.material.young" = "1e4:1e6:5:log"
"integrator.name" = ["avf", "bdf2"]
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from annotated_types import Ge
from pydantic import Field, ValidationError

from supple.errors import SceneError
from supple.mesh.stages.stage import is_stage
from supple.paths import checked_path
from supple.scene.text.load import find_scene, parse_toml
from supple.scene.text.problems import problems
from supple.scene.text.registry_models import Table
from supple.scene.text.shipped import shipped_scenes
from supple.sweeps.axes import make_axis
from supple.sweeps.designs import make_design
from supple.sweeps.measures import make_measures
from supple.sweeps.plan import Base, Plan

Whole = Annotated[int, Ge(1)]


class SweepFile(Table):
    """All keys of a sweep's file."""

    scene: str
    """A shipped scene by its name, any other by its path from this file."""
    vary: dict[str, str | list[Any]]
    """By the key of the scene: values, or a range as text."""
    set: list[str] = Field(default_factory=list)
    """KEY=VALUE for all runs."""
    measure: list[str] | dict[str, str] | None = None
    """Expressions of recorded data: `["total@drift", "sag = right.y@min"]`, or by name in a table."""
    together: bool = False
    """Pair the values by position instead of forming all combinations."""
    sample: Whole | None = None
    """Number of points sampled from the ranges, instead of a grid."""
    sampling: Literal["latin", "sobol", "saltelli"] | None = None
    """Sampling method: latin (default), sobol, or saltelli for sensitivities."""
    seed: Annotated[int, Ge(0)] | None = None
    """Seed of the samples; default: 0."""
    steps: Whole | None = None
    """Number of steps, instead of time.duration."""
    threads: Whole = 1
    """Threads per run."""

    def plan(self, file: Path, more: list[str]) -> Plan:
        """The plan of this file; `more` settings come last."""
        scene = self.scene if self.scene in shipped_scenes() else checked_path(file, self.scene)
        return Plan(
            Base.of_file(scene, [*self.set, *more], typed=False),
            tuple(make_axis(key, given) for key, given in self.vary.items()),
            make_design(self.together, self.sample, self.sampling, self.seed),
            make_measures(self.measure),
            self.steps,
            self.threads,
        )


def is_sweep_file(source: str) -> bool:
    """Whether a path is a sweep file rather than a scene file."""
    path = find_scene(source)
    return path.is_file() and not is_stage(path) and not {"vary", "scene"}.isdisjoint(parse_toml(path))


def read_sweep_file(path: Path, more: list[str], options: Mapping[str, Any] | None = None) -> Plan:
    """The plan in a file; `more` settings come after its own, and `options` that are not None replace its keys."""
    chosen = {key: value for key, value in (options or {}).items() if value is not None}
    try:
        found = SweepFile.model_validate({**parse_toml(path), **chosen})
    except ValidationError as error:
        raise SceneError([f"{path}: {line}" for line in problems(error, SweepFile)]) from None
    return found.plan(path.resolve(), more)
