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

from supple.scene.text.brackets import BY_NAME, LISTED, ONE, brackets
from supple.scene.text.choice import Choice
from supple.wording import key, shown, suggestion

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
_FORMS = frozenset(_PLAIN_WORDS) | {"float_type", "string_type"}
"""Errors of values that are no table, list, number or text."""
_SHOULD = "input should be "


def problems(error: ValidationError, model: type[BaseModel]) -> list[str]:
    """All problems in the order of the tables, each on a line."""
    messages: dict[str, list[str]] = {}
    details = [detail for detail in error.errors(include_url=False) if not _follows_from_another(detail)]
    for detail in details:
        if _is_of_another_form(model, detail, details):
            continue
        path, message = _problem(model, detail)
        if message not in messages.setdefault(path, []):
            messages[path].append(message)
    return [f"{path}: {_joined(found)}" if path else _joined(found) for path, found in messages.items()]


def _joined(messages: list[str]) -> str:
    """Several forms that a value may have, in one sentence if they share its end."""
    parts = [message.removeprefix(_SHOULD).partition(", found ") for message in messages]
    ends = {end for _, _, end in parts}
    if len(messages) > 1 and len(ends) == 1 and all(ends) and all(message.startswith(_SHOULD) for message in messages):
        return f"{_SHOULD}{' or '.join(start for start, _, _ in parts)}, found {ends.pop()}"
    return " or ".join(messages)


def _is_of_another_form(model: type[BaseModel], detail: ErrorDetails, details: list[ErrorDetails]) -> bool:
    """Whether a member of a union complains of the form of a value in which another member finds a fault inside."""
    place = detail["loc"][:-1]
    if detail["type"] not in _FORMS or len(locate(model, place)[1]) < 2:
        return False
    beside = [other for other in details if other["loc"][: len(place)] == place]
    return any(len(other["loc"]) > len(detail["loc"]) or other["type"] not in _FORMS for other in beside)


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
            narrowed = [kind for kind in choices if element in _tags(kind) or _is_label(element, kind)]
            narrowed = narrowed or [kind for kind in choices if not _is_one(kind)] or choices
            choices = _choices(narrowed[0]) if len(narrowed) == 1 else [Union[tuple(narrowed)]]  # noqa: UP007
            continue
        path += f"[{element}]" if isinstance(element, int) else f".{key(element)}" if path else key(element)
        choices = _choices(_below(choices[0], element))
    return path, choices


def _holds(choices: list[Any]) -> str:
    """Whether one table, a list of tables, or a table of tables by name is allowed."""
    if len(choices) != 1:
        return ""
    if _is_one(choices[0]):
        return ONE
    plain = _plain(choices[0])
    origin, inner = get_origin(plain), get_args(plain)
    if not inner or not _is_one(inner[-1] if isinstance(origin, type) and issubclass(origin, Mapping) else inner[0]):
        return ""
    return LISTED if origin in (list, tuple) else BY_NAME


def _is_one(kind: Any) -> bool:
    return _choice(kind) is not None or _is_table(_plain(kind))


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


def _is_label(element: int | str, kind: Any) -> bool:
    """Whether pydantic names a table without a tag so: by its class, inside the names of its checks."""
    plain = _plain(kind)
    return _is_table(plain) and (element == plain.__name__ or str(element).endswith(f", {plain.__name__}]"))


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
            tables = [_plain(kind) for kind in locate(model, detail["loc"][:-1])[1]]
            known = [word for table in tables if _is_table(table) for word in table.model_fields]
            return path, f"unknown key{suggestion(detail['loc'][-1], known)}"
        case "missing":
            return path, "missing, but required"
        case "union_tag_invalid" | "union_tag_not_found" as kind:
            return _tag_problem(path, choices, context, missing=kind == "union_tag_not_found", value=value)
        case "literal_error":
            known = [word for choice in choices for word in get_args(_plain(choice))]
            return path, f"unknown value {shown(value)}{suggestion(value, known)}"
        case "too_short" | "too_long" as kind:
            wanted = f"at least {context['min_length']}" if kind == "too_short" else f"at most {context['max_length']}"
            return path, f"input should have {wanted} entries, found {len(value)}: {shown(value)}"
        case "value_error":
            return _narrowed(path, str(context["error"]), choices)
        case kind if kind in _PLAIN_WORDS:
            wanted = _PLAIN_WORDS[kind]
            return path, f"input should be {wanted}, found {shown(value)}{brackets(path, _holds(choices), value)}"
    return path, f"{detail['msg'][0].lower()}{detail['msg'][1:]}, found {shown(value)}"


def _tag_problem(path: str, choices: list[Any], context: Any, missing: bool, value: Any) -> tuple[str, str]:
    """A table whose kind is unknown or not given."""
    word = context["discriminator"].strip("'")
    chosen = _choice(choices[0])
    known = sorted(chosen.names() if chosen else (tag for member in choices for tag in _tags(member)))
    given = value.get(word) if isinstance(value, Mapping) else context.get("tag")
    if not missing and not isinstance(given, str):
        return f"{path}.{word}", f"input should be one of the names, found {shown(given)}; known: {', '.join(known)}"
    start = "missing, but required" if missing else f"unknown {word} '{given}'"
    return f"{path}.{word}", f"{start}{suggestion(given or '', known)}"


def _narrowed(path: str, message: str, choices: list[Any]) -> tuple[str, str]:
    """A message of a table that begins with one of its keys belongs to that key."""
    option, colon, rest = message.partition(": ")
    word = option.rpartition(".")[2]  # perhaps with the name of its object: implicit.equation
    table = _plain(choices[0]) if len(choices) == 1 else None
    if colon and table is not None and _is_table(table) and word in table.model_fields:
        return f"{path}.{word}" if path else word, rest
    return path, message
