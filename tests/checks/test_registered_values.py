"""Every class of every registry refuses the same values in Python and in scenes, with the same message."""

import dataclasses
import inspect
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import pytest
from annotated_types import Ge, Gt, Le, Lt
from pydantic import ValidationError

from supple.adaptive import RULES
from supple.damping import DAMPINGS
from supple.errors import SuppleError
from supple.integrators import INTEGRATORS
from supple.materials import MATERIALS, MEMBRANES
from supple.mesh import SHAPES
from supple.scene.text.problems import problems
from supple.scene.text.registry_models import options_model
from supple.values import FREE_KEYS, Check

REGISTRIES = (MATERIALS, MEMBRANES, INTEGRATORS, SHAPES, DAMPINGS, RULES)
CLASSES = [cls for registry in REGISTRIES for cls in registry.load().values()]
KINDS: dict[Any, tuple[Any, ...]] = {
    float: ("much", True, float("nan"), float("inf"), [1.0]),
    int: (1.5, 2.0, True, "2"),
    bool: (1, "yes"),
    str: (3,),
}


def refused(hint: Any) -> list[Any]:
    """Values that a hint does not allow."""
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return refused(args[0]) + [value for mark in args[1:] for value in beyond(mark, args[0])]
    if origin is Literal:
        return ["nonsense", f"{args[0]}x"]
    if origin is tuple and Ellipsis in args:
        return [1, *([bad] * 3 for bad in refused(args[0]))]
    if origin is tuple:
        entry, *rest = (good(arg) for arg in args)
        inside = [(bad, *rest) for bad in refused(args[0])]
        return [1, "x", (), (entry,), (entry, *rest, entry), *inside]
    if type(None) in args:
        return [value for arg in args if arg is not type(None) for value in refused(arg)]
    return list(KINDS.get(hint, ()))


def beyond(mark: Any, kind: type) -> list[Any]:
    match mark:
        case Gt(gt=bound) | Lt(lt=bound):
            return [kind(bound), kind(bound) + (1 if isinstance(mark, Lt) else -1)]
        case Ge(ge=bound):
            return [int(bound) - 1]
        case Le(le=bound):
            return [int(bound) + 1]
        case Check():
            return ["nonsense"]
    return []


def good(hint: Any) -> Any:
    plain = get_args(hint)[0] if get_origin(hint) is Annotated else hint
    return plain(3)


WITHOUT_DEFAULTS: dict[str, dict[str, Any]] = {
    "formula-membrane": {"energy": "(I1 - 2)^2"},
    "formula": {"dissipation": "Edot11^2"},
}
"""Values of classes for which a text is not as good as another."""


def required(cls: type[Any]) -> dict[str, Any]:
    if cls.name in WITHOUT_DEFAULTS:
        return WITHOUT_DEFAULTS[cls.name]
    hints = get_type_hints(cls, include_extras=True)
    missing = (f for f in dataclasses.fields(cls) if f.default is f.default_factory is dataclasses.MISSING)
    return {f.name: good(hints[f.name]) for f in missing}


RATIOS = {"nu12": 0.3, "nu13": 0.3, "nu23": 0.3}
TOGETHER: dict[str, dict[str, float]] = {
    "rayleigh": {"mass": 1.0},
    "viscosity": {"shear": 1.0},
    "orthotropic": RATIOS,
    "fung-orthotropic": RATIOS,
}
"""Values of classes that not every set of good values can make."""

CASES = [
    pytest.param(cls, field, value, id=f"{cls.name}.{field}={value!r}")
    for cls in CLASSES
    for field, hint in get_type_hints(cls, include_extras=True).items()
    if field in {f.name for f in dataclasses.fields(cls) if f.metadata != FREE_KEYS}
    for value in refused(hint)
]


@pytest.mark.parametrize(("cls", "field", "value"), CASES)
def test_python_and_scene_say_the_same(cls: type[Any], field: str, value: Any) -> None:
    options = {**required(cls), field: value}
    model = options_model(cls)
    with pytest.raises(ValidationError) as of_scene:
        model.model_validate(options)
    with pytest.raises(SuppleError) as of_python:
        cls(**options)
    assert str(of_python.value).splitlines() == [f"{cls.name}.{line}" for line in problems(of_scene.value, model)]


def test_all_bounds_are_among_the_cases() -> None:
    assert {case.values[0] for case in CASES} == {cls for cls in CLASSES if any(map(refused, hints_of(cls)))}
    assert len(CASES) > 300


def hints_of(cls: type[Any]) -> list[Any]:
    hints = get_type_hints(cls, include_extras=True)
    return [hints[f.name] for f in dataclasses.fields(cls) if f.metadata != FREE_KEYS]


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.name)
def test_checks_leave_the_class_as_it_is(cls: type[Any]) -> None:
    made = cls(**(required(cls) | TOGETHER.get(cls.name, {})))
    assert dataclasses.replace(made) == made
    ordered = sorted(dataclasses.fields(cls), key=lambda f: bool(f.kw_only))
    assert list(inspect.signature(cls).parameters) == [f.name for f in ordered]
