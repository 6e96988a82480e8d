"""The plan of a comparison: several scenes, several integrators, and values of keys, all combinations; every run has a name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from supple.errors import SceneError, SuppleError
from supple.sweeps.axes import Axis, Choice
from supple.sweeps.designs import Grid, Variant
from supple.sweeps.measures import make_measures
from supple.sweeps.plan import SCENE, Base, Plan, label

INTEGRATOR = "integrator"
"""Key of the axis that chooses among several integrators."""


@dataclass(frozen=True)
class Chosen:
    """An integrator with its options."""

    word: str
    """As the user wrote it: `backward-euler:budget=true`."""
    name: str
    options: tuple[str, ...]
    """KEY=VALUE, in the table of the integrator."""

    @property
    def settings(self) -> list[str]:
        return [f"{INTEGRATOR}.name={self.name}", *(f"{INTEGRATOR}.{option}" for option in self.options)]

    def label(self, of_scene: str) -> str:
        """Its label, given the scene's label of its integrator, including a budget from either."""
        if any(key in self.word for key in ("budget.", "adaptive.")):
            return self.word
        own = ",".join(option for option in self.options if not option.startswith(("budget", "adaptive")))
        suffix = of_scene.removeprefix(self.name)
        return f"{self.name}:{own}{suffix}" if own else f"{self.name}{suffix}"


def compared(
    scenes: Sequence[str],
    integrators: Sequence[Chosen],
    axes: Sequence[Axis],
    settings: Sequence[str],
    steps: int | None,
    threads: int = 0,
) -> Plan:
    """All scenes with all integrators and all values; without integrators each scene has its own."""
    stems = [Path(scene).stem for scene in scenes]
    if twice := {stem for stem in stems if stems.count(stem) > 1}:
        raise SuppleError(f"compare: found '{min(twice)}' several times; give scenes with different names")
    bases = {stem: Base.of_file(scene, settings) for stem, scene in zip(stems, scenes, strict=True)}
    found: list[Axis] = []
    if len(scenes) > 1:
        found.append(Choice(SCENE, tuple(stems)))
    if integrators:
        meaning = {chosen.word: chosen.settings for chosen in integrators}
        found.append(Choice(INTEGRATOR, tuple(meaning), meaning))
        _refuse_two_methods(axes)
    base = bases.pop(stems[0])
    plan = Plan(base, (*found, *axes), Grid(), make_measures(None), steps, threads, bases)
    words = {chosen.word: chosen for chosen in integrators}
    return replace(plan, names=_apart([_name(plan, variant, words) for variant in plan.variants]))


def _refuse_two_methods(axes: Sequence[Axis]) -> None:
    for axis in axes:
        if axis.key == f"{INTEGRATOR}.name":
            raise SuppleError(f"--vary {axis.key}: --integrators already selects the methods; give one of the two")


def _name(plan: Plan, variant: Variant, words: dict[str, Chosen]) -> str:
    """The parts of a run's name: scene, integrator, values. A scene that cannot be read keeps the given names;
    its problems are reported when the plan is checked."""
    values = dict(variant.values)
    parts = [values.pop(SCENE)] if SCENE in values else []
    if INTEGRATOR in values:
        chosen = words[values.pop(INTEGRATOR)]
        try:
            parts.append(chosen.label(plan.scene(variant).integrator.label))
        except SceneError:
            parts.append(chosen.word)
    return ", ".join(filter(None, [" ".join(parts), label(values)]))


def _apart(names: list[str]) -> tuple[str, ...]:
    """The same names, with a number appended where rounding for display makes them equal."""
    return tuple(f"{name} #{k}" if names.count(name) > 1 else name for k, name in enumerate(names))
