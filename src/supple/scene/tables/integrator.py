"""The method of a scene: `[integrator]`, one table for each registered class, and wrappers around them.

`adaptive = true` controls its steps by their error, `budget = true` closes its energy balance, both with the defaults; a
table sets their options. A method inside another one has neither.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, get_type_hints

from pydantic import BeforeValidator, Field, create_model

from supple.adaptive.error_control import ErrorControl
from supple.budget.energy_budget import EnergyBudget
from supple.integrators import INTEGRATORS
from supple.integrators.method import Method
from supple.scene.text.choice import Choice
from supple.scene.text.registry_models import Options, Table, dataclass_fields, options_model
from supple.wording import shown


class WrapperOptions(Table):
    """Options of wrappers around a method."""


def _wrapper_field(cls: type[Any], words: str, example: str) -> tuple[Any, Any]:
    """A key with the options of a wrapper, except the inner method, which is the enclosing table."""
    held = {key for key, hint in get_type_hints(cls).items() if hint is Method}
    fields: dict[str, Any] = {key: f for key, f in dataclass_fields(cls).items() if key not in held}
    options: Any = create_model(cls.__name__, __base__=WrapperOptions, __doc__=cls.__doc__, **fields)
    options.documented = (cls,)

    def switched(value: Any) -> Any:
        """true: all defaults; false: off."""
        if isinstance(value, bool):
            return {} if value else None
        if value is None or isinstance(value, dict | Table):
            return value
        raise ValueError(f"input should be true, false or a table such as {{ {example} }}, found {shown(value)}")

    hint = Annotated[options | None, BeforeValidator(switched, json_schema_input_type=bool | options)]
    return hint, Field(default=None, description=words)


@cache
def _point_budget() -> tuple[Any, Any]:
    from supple.budget.points import PointBudget  # whose kernels only scenes with points need

    return _wrapper_field(
        PointBudget, "The energy budget of material points: true, or a table of its options.", "cap = 2"
    )


_WRAPPERS: dict[str, Any] = {
    "budget": _wrapper_field(EnergyBudget, "The energy budget: true, or a table of its options.", "restore = 0.8"),
    "adaptive": _wrapper_field(
        ErrorControl, "Steps controlled by their error: true, or a table of options.", "tolerance = 1e-4"
    ),
}


class IntegratorOptions(Options):
    """A method with its options and wrappers."""

    if TYPE_CHECKING:
        name: str
        budget: WrapperOptions | None
        adaptive: WrapperOptions | None

    @property
    def label(self) -> str:
        """Displayed name of the method: `backward-euler + budget`."""
        around = [key for key in ("adaptive", "budget") if isinstance(getattr(self, key), WrapperOptions)]
        return " + ".join([self.name, *around])

    def inner(self) -> Any:
        """The method alone."""
        return super().make()

    def make(self) -> Any:
        method = self.inner()
        if isinstance(self.adaptive, WrapperOptions):
            method = ErrorControl(of=method, **dict(self.adaptive))
        return self.around(method)

    def around(self, method: Method) -> Method:
        """Any method with the budget of this table."""
        if not isinstance(self.budget, WrapperOptions):
            return method
        if not method.moves_points:
            return EnergyBudget(of=method, **dict(self.budget))
        from supple.budget.points import PointBudget

        return PointBudget(of=method, **dict(self.budget))


@cache
def integrator_model(name: str, cls: type[Any]) -> type[IntegratorOptions]:
    """The table of one method."""
    own = {"budget": _point_budget()} if cls.moves_points else {}
    bases: Any = (IntegratorOptions, options_model(cls, "name", name))
    model: type[IntegratorOptions] = create_model(
        f"{cls.__name__}Integrator",
        __base__=bases,
        __doc__=cls.__doc__,
        **{**_WRAPPERS, **own},
    )
    return model


if TYPE_CHECKING:
    IntegratorTable: TypeAlias = IntegratorOptions
else:
    IntegratorTable = Annotated[Any, Choice("name", (INTEGRATORS,), integrator_model)]
