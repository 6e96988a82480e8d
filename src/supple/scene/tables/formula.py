"""`material = { name = "formula", energy = "...", mu = 1e5 }`: every key that the table does not have is a constant."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from pydantic import Field, PlainSerializer, ValidationError, WrapValidator, create_model, model_validator
from pydantic_core import InitErrorDetails

from supple.errors import SuppleError, WrongOption
from supple.formulas.fields import Field as PlaceField
from supple.materials.formula_material import Formula
from supple.scene.tables.free_keys import FreeOptions
from supple.scene.text.field_docs import summary
from supple.scene.text.hints import strict_numbers
from supple.scene.text.registry_models import dataclass_fields


def _number_or_text(value: Any, number: Any) -> Any:
    if not isinstance(value, str):
        return number(value)
    try:
        PlaceField(value)
    except ValueError as error:
        raise ValueError(f"input should be a valid number, or an expression of X, Y, Z: {error}") from None
    return value


def of_place(hint: Any) -> Any:
    """A number within its bounds, or an expression of the rest position, whose values are checked in their places."""
    number = strict_numbers(hint)
    as_it_is = PlainSerializer(lambda value: value, return_type=float | str)
    return Annotated[number, WrapValidator(_number_or_text, json_schema_input_type=number | str), as_it_is]


if TYPE_CHECKING:
    Constant: TypeAlias = float | str
else:
    Constant = of_place(float)


class FormulaOptions(FreeOptions):
    """The table of a formula: constants may depend on the place, and mistakes are reported at their keys."""

    if not TYPE_CHECKING:
        __pydantic_extra__: dict[str, Constant]

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
    """What is wrong with one key of a table."""
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
