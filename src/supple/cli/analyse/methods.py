"""Integrators as command-line arguments: `avf,generalized-alpha:rho=0.8,newmark:beta=0.3,gamma=0.6`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from supple.dynamics.step import Integrator

USUAL = "avf,backward-euler,bdf2,tr-bdf2,midpoint"
OPTION = "--integrators"


def words(text: str) -> list[str]:
    """The methods of a list; a part with `=` and no name is a further option of the preceding method."""
    found: list[str] = []
    for part in filter(None, map(str.strip, text.split(","))):
        if found and "=" in part.partition(":")[0]:
            found[-1] += f",{part}"
        else:
            found.append(part)
    if not found:
        raise _refusal(OPTION, "give at least one name, such as avf,backward-euler")
    return list(dict.fromkeys(found))


def methods(text: str) -> dict[str, Integrator]:
    """Label -> method."""
    return {word: method(word, OPTION) for word in words(text)}


def split(word: str, option: str) -> tuple[str, list[str]]:
    """Name and `key=value` options of one method."""
    name, _, listed = (part.strip() for part in word.partition(":"))
    pairs = [part for part in map(str.strip, listed.split(",")) if part]
    for pair in pairs:
        if "=" not in pair:
            raise _refusal(option, f"{name}: found '{pair}'; give options as {name}:key=value,key=value")
    return name, pairs


def timed_methods() -> dict[str, Integrator]:
    """All mesh methods that have a time scale, with their default options."""
    from supple.integrators import INTEGRATORS

    made = {name: cls() for name, cls in sorted(INTEGRATORS.load().items()) if not cls.moves_points}
    return {name: made for name, made in made.items() if made.facts.order > 0}


def method(word: str, option: str) -> Integrator:
    """One method from `name` or `name:key=value,...`, its values checked as in a scene."""
    from pydantic import ValidationError

    from supple.integrators import INTEGRATORS
    from supple.scene.tables.integrator import integrator_model
    from supple.scene.text.override import apply
    from supple.scene.text.problems import problems

    name, pairs = split(word, option)
    cls: Any = INTEGRATORS.lookup(name)
    if cls is None:
        from supple.wording import suggestion

        raise _refusal(option, f"unknown integrator '{name}'{suggestion(name, INTEGRATORS.names())}")
    model = integrator_model(name, cls)
    table = apply({"integrator": {"name": name}}, [f"integrator.{pair}" for pair in pairs])["integrator"]
    try:
        made: Integrator = model.model_validate(table).make()
    except ValidationError as error:
        raise _refusal(option, *(f"{name}.{line}" for line in problems(error, model))) from None
    return made


def reference_method(word: str) -> tuple[Integrator, int]:
    """`NAME:STEPS`: the method and the number of steps of a reference run."""
    from supple.wording import in_digits

    name, _, count = word.rpartition(":")
    steps = in_digits(count)
    if not name or steps < 1:
        raise _refusal("--reference", f"found '{word}'; give dop853, or a method and its steps, such as tr-bdf2:4096")
    return method(name, "--reference"), steps


def _refusal(option: str, *problems: str) -> Exception:
    from supple.errors import SuppleError

    return SuppleError("\n".join(f"{option}: {problem}" for problem in problems))
