"""`material = { name = "formula", energy = "...", mu = 1e5 }`: every other key is a constant."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias, get_args, get_origin

from pydantic import Field, PlainSerializer, ValidationError, WrapValidator, create_model, model_validator
from pydantic_core import InitErrorDetails

from supple.errors import SuppleError, WrongOption
from supple.formulas.curves import as_curve
from supple.formulas.places.fields import Field as PlaceField
from supple.formulas.places.fields import of_curve
from supple.formulas.places.numbers_file import NumbersFile
from supple.materials.formula_material import Formula
from supple.scene.tables.free_keys import FreeOptions, free_field
from supple.scene.text.field_docs import summary
from supple.scene.text.hints import CurveTable, strict_numbers
from supple.scene.text.registry_models import Table, dataclass_fields
from supple.wording import shown


class NumbersTable(Table):
    """Values for all tets, in the order of the mesh."""

    file: str
    """A `.npy` file, relative to the scene."""


def constant(value: Any) -> Any:
    """A material constant in a table."""
    if isinstance(value, dict) and "keys" in value:
        return of_curve(as_curve(value))
    if isinstance(value, dict):
        return NumbersFile(**value)
    return PlaceField(value) if isinstance(value, str) else value


def _number_text_or_file(value: Any, number: Any) -> Any:
    if not isinstance(value, dict) or "keys" in value:
        return _number_or_text(value, number)
    if list(value) != ["file"] or not isinstance(value["file"], str):
        wanted = (
            'a number, an expression of X, Y, Z and t, { keys = [[0.0, 1e5], [1.0, 2e5]] }, or { file = "NUMBERS.npy" }'
        )
        raise ValueError(f"input should be {wanted}, found {shown(value)}")
    return value


def _number_or_text(value: Any, number: Any) -> Any:
    if isinstance(value, dict):
        for each in as_curve(value).values:
            number(each)
        return value
    if not isinstance(value, str):
        return number(value)
    try:
        PlaceField(value)
    except ValueError as error:
        raise ValueError(f"input should be a valid number, or an expression of X, Y, Z and t: {error}") from None
    return value


def is_number(hint: Any) -> bool:
    """Whether a hint is that of a number, with bounds or without."""
    return hint is float or (get_origin(hint) is Annotated and get_args(hint)[0] is float)


def of_place(hint: Any, files: bool = True) -> Any:
    """A number within its bounds, an expression of the rest position, or a file with a value per tet; values are
    checked where they are used."""
    number = strict_numbers(hint)
    as_it_is = PlainSerializer(lambda value: value, return_type=Any)
    read, written = _number_or_text, number | str | CurveTable
    if files:
        read, written = _number_text_or_file, written | NumbersTable
    return Annotated[number, WrapValidator(read, json_schema_input_type=written), as_it_is]


if TYPE_CHECKING:
    Constant: TypeAlias = float | str
else:
    Constant = of_place(float)


class FormulaOptions(FreeOptions):
    """The table of a formula: constants may depend on position, and errors are reported at their keys."""

    if not TYPE_CHECKING:
        __pydantic_extra__: dict[str, Constant]

    def values(self) -> dict[str, Any]:
        found = super().values()
        key = free_field(self.made_from)
        return {**found, key: tuple((name, constant(value)) for name, value in found[key])}

    @model_validator(mode="after")
    def _can_be_made(self) -> FormulaOptions:
        try:
            self.make()
        except WrongOption as error:
            raise _at(error.key, error.sentence) from None
        except SuppleError as error:
            raise ValueError(str(error)) from error
        return self


def _at(key: str, sentence: str) -> ValidationError:
    """A problem with one key of a table."""
    error = InitErrorDetails(type="value_error", loc=(key,), input=None, ctx={"error": ValueError(sentence)})
    return ValidationError.from_exception_data("formula", [error])


@cache
def formula_model(name: str, cls: type[Formula]) -> type[FormulaOptions]:
    """The table of a formula, with the options of its class."""
    fields: dict[str, Any] = {"name": (Literal[name], Field(description=summary(cls)))}
    fields |= dataclass_fields(cls)
    model = create_model(cls.__name__, __base__=FormulaOptions, __doc__=cls.__doc__, **fields)
    model.made_from, model.documented = cls, (cls,)
    return model
