"""Plan of a sweep, read back from its manifest: the folder may be damaged, or of untrusted origin."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, TypeAdapter, ValidationError

from supple.errors import RecordError, SuppleError
from supple.paths import Fence
from supple.sweeps.axes import Axis, Choice, Listed, Range
from supple.sweeps.designs import Design, Grid, Sampled, Together
from supple.sweeps.manifest import NAME
from supple.sweeps.measures import Measure
from supple.sweeps.plan import Base, Plan

_DESIGNS: dict[str, type[Any]] = {"grid": Grid, "together": Together, "sampled": Sampled}
_AXES: dict[str, type[Any]] = {"listed": Listed, "range": Range, "choice": Choice}


@dataclass(frozen=True)
class _KeptBase:
    """A scene as TOML."""

    scene: str
    source: str
    settings: list[str]


@dataclass(frozen=True)
class _KeptPlan(_KeptBase):
    axes: list[dict[str, Any]]
    design: dict[str, Any]
    measures: dict[str, str | None]
    steps: Annotated[int, Field(ge=1)] | None
    threads: Annotated[int, Field(ge=0)]
    others: dict[str, _KeptBase] = field(default_factory=dict)
    names: tuple[str, ...] = ()


def read_plan(data: dict[str, Any], folder: Path, runs: int, measures: tuple[Measure, ...] | None = None) -> Plan:
    """The plan of that many runs; `measures` replace those that are Python functions."""
    try:
        kept = TypeAdapter(_KeptPlan).validate_python(data)
        axes: tuple[Axis, ...] = tuple(_made(_AXES, axis) for axis in kept.axes)
        design: Design = _made(_DESIGNS, kept.design)
        _demand_few(axes, design, runs)
        made = measures if measures is not None else _kept_measures(kept.measures)
        others = {word: _base(other, folder) for word, other in kept.others.items()}
        plan = Plan(_base(kept, folder), axes, design, made, kept.steps, kept.threads, others, kept.names)
        if len(plan.variants) != runs or (plan.names and len(plan.names) != runs):
            raise ValueError(f"{len(plan.variants)} runs and {len(plan.names)} names, but {runs} runs are listed")
    except ValidationError as error:
        first = error.errors()[0]
        raise _refused(folder, f"{'.'.join(map(str, first['loc'])) or 'plan'}: {first['msg']}") from None
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise _refused(folder, f"{type(error).__name__}: {error}") from None
    return plan


def _refused(folder: Path, why: str) -> RecordError:
    return RecordError(
        f"{folder / NAME}: its plan cannot be read: {why[:200]}; put back the one that `supple sweep` wrote"
    )


def _base(kept: _KeptBase, folder: Path) -> Base:
    tables = tomllib.loads(kept.scene)
    return Base(tables, folder, kept.source, tuple(kept.settings), Fence(folder.resolve()), typed=False)


def _made(kinds: dict[str, type[Any]], data: dict[str, Any]) -> Any:
    """An axis or a design from JSON, whose lists were tuples."""
    try:
        return TypeAdapter(kinds[data["kind"]]).validate_python({key: data[key] for key in data if key != "kind"})
    except SuppleError as error:
        raise ValueError(str(error)) from None


def _demand_few(axes: tuple[Axis, ...], design: Design, runs: int) -> None:
    """Refuse counts above the number of runs before that many values are made, and choices that are not words."""
    counts = [axis.count or 0 for axis in axes if isinstance(axis, Range)]
    counts += [design.size] if isinstance(design, Sampled) else []
    if max(counts, default=0) > runs:
        raise ValueError(f"a count of {max(counts)}, but {runs} runs are listed")
    if any(not isinstance(word, str) for axis in axes if isinstance(axis, Choice) for word in axis.values):
        raise ValueError("the values of a choice must be words")


def _kept_measures(data: dict[str, str | None]) -> tuple[Measure, ...]:
    lost = [name for name, text in data.items() if text is None]
    if lost:
        raise SuppleError(
            f"measure '{lost[0]}': it is a Python function, which the manifest cannot store; continue from Python: "
            "supple.resume_sweep(folder, measure={...})"
        )
    return tuple(Measure(name, text or "") for name, text in data.items())
