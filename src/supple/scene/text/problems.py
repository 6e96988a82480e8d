"""Validation errors of pydantic as one line per problem: path, rule, value, suggestion.

    integrator.name: unknown name 'newmrak'; did you mean 'newmark'? known: avf, backward-euler, newmark
    body[1].density: input should be greater than 0, found -5

Pydantic puts the tag of a union into the location of an error; the path is found by walking the models along it.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel, Tag, ValidationError
from pydantic_core import ErrorDetails

from supple.scene.text.choice import Choice
from supple.wording import shown, suggestion

TAG_KEYS = ("name", "shape", "kind")

# TOML terms for pydantic's error types
_PLAIN_WORDS = {
    "model_type": "a table",
    "model_attributes_type": "a table",
    "dict_type": "a table",
    "tuple_type": "a list",
    "list_type": "a list",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "bool_type": "true or false",
}


def problems(error: ValidationError, model: type[BaseModel]) -> list[str]:
    """All problems in the order of the tables, each on a line."""
    messages: dict[str, list[str]] = {}
    for detail in error.errors(include_url=False):
        if _follows_from_another(detail):
            continue
        path, message = _problem(model, detail)
        if message not in messages.setdefault(path, []):
            messages[path].append(message)
    return [f"{path}: {' or '.join(found)}" if path else " or ".join(found) for path, found in messages.items()]


def _follows_from_another(detail: ErrorDetails) -> bool:
    """Pydantic does not count faulty entries of a list, nor fill in a default that needs a faulty value."""
    if detail["type"] == "too_short":
        return len(detail["input"]) >= detail["ctx"]["min_length"]
    return detail["type"] == "default_factory_not_called"


def locate(model: type[BaseModel], location: tuple[int | str, ...]) -> tuple[str, list[Any]]:
    """Path in the file of an error's location, and the types allowed there."""
    path = ""
    choices: list[Any] = [model]
    for element in location:
        chosen = _choice(choices[0]) if len(choices) == 1 else None
        if chosen is not None:
            # the element is the name of the table, which is not in the file
            choices = [chosen.model(str(element)) or Any]
            continue
        if len(choices) > 1:
            # the element is the tag of a union, or the label of a member, which is not in the file
            narrowed = [kind for kind in choices if element in _tags(kind)] or choices
            choices = _choices(narrowed[0]) if len(narrowed) == 1 else narrowed
            continue
        path += f"[{element}]" if isinstance(element, int) else f".{element}" if path else element
        choices = _choices(_below(choices[0], element))
    return path, choices


def _plain(kind: Any) -> Any:
    while get_origin(kind) is Annotated:
        kind = get_args(kind)[0]
    return kind


def _choice(kind: Any) -> Choice | None:
    return next((mark for mark in getattr(kind, "__metadata__", ()) if isinstance(mark, Choice)), None)


def _is_table(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, BaseModel)


def _choices(kind: Any) -> list[Any]:
    """Members of a union, without None; anything else is its own only choice."""
    plain = _plain(kind)
    if get_origin(plain) not in (Union, UnionType):
        return [kind]
    members = [member for member in get_args(plain) if member is not NoneType]
    return _choices(members[0]) if len(members) == 1 else members


def _tags(kind: Any) -> list[Any]:
    """Tags that select this member of a union."""
    tags = [item.tag for item in getattr(kind, "__metadata__", ()) if isinstance(item, Tag)]
    plain = _plain(kind)
    if not tags and _is_table(plain):
        hints = [plain.model_fields[key].annotation for key in TAG_KEYS if key in plain.model_fields]
        tags = [value for hint in hints if get_origin(hint) is Literal for value in get_args(hint)]
    return tags


def _below(kind: Any, element: int | str) -> Any:
    """Type of the entry of a table, list or mapping at an index or key."""
    plain = _plain(kind)
    if _is_table(plain):
        field = plain.model_fields.get(str(element))
        if field is None:
            return Any
        return Annotated[(field.annotation, *field.metadata)] if field.metadata else field.annotation
    origin, arguments = get_origin(plain), [a for a in get_args(plain) if a is not Ellipsis]
    if origin in (list, tuple) and isinstance(element, int) and arguments:
        return arguments[min(element, len(arguments) - 1)]
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return arguments[1]
    return Any


def _problem(model: type[BaseModel], detail: ErrorDetails) -> tuple[str, str]:
    """Path and message of one error."""
    path, choices = locate(model, detail["loc"])
    context, value = detail.get("ctx", {}), detail["input"]
    match detail["type"]:
        case "extra_forbidden":
            table = _plain(locate(model, detail["loc"][:-1])[1][0])
            return path, f"unknown key{suggestion(detail['loc'][-1], table.model_fields)}"
        case "missing":
            return path, "missing, but required"
        case "union_tag_invalid" | "union_tag_not_found" as kind:
            key = context["discriminator"].strip("'")
            chosen = _choice(choices[0])
            known = sorted(chosen.names() if chosen else (tag for member in choices for tag in _tags(member)))
            word = context.get("tag")
            start = "missing, but required" if kind == "union_tag_not_found" else f"unknown {key} '{word}'"
            return f"{path}.{key}", f"{start}{suggestion(word or '', known)}"
        case "literal_error":
            known = [word for choice in choices for word in get_args(_plain(choice))]
            return path, f"unknown value {shown(value)}{suggestion(value, known)}"
        case "too_short" | "too_long" as kind:
            wanted = f"at least {context['min_length']}" if kind == "too_short" else f"at most {context['max_length']}"
            return path, f"input should have {wanted} entries, found {context['actual_length']}: {shown(value)}"
        case "value_error":
            return path, str(context["error"])
        case kind if kind in _PLAIN_WORDS:
            return path, f"input should be {_PLAIN_WORDS[kind]}, found {shown(value)}"
    return path, f"{detail['msg'][0].lower()}{detail['msg'][1:]}, found {shown(value)}"
