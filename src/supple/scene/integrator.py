"""The method of a scene: `[integrator]`, one table for each registered class, and the energy budget around any of them.

`budget = true` closes the energy balance with the defaults, a table of options says how. A method inside another one has no
budget.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, get_type_hints

from pydantic import BeforeValidator, ConfigDict, Field, create_model

from supple.budget.energy_budget import EnergyBudget
from supple.integrators import INTEGRATORS
from supple.integrators.method import Method
from supple.scene.registry_models import Options, Table, dataclass_fields, options_model, tagged_union
from supple.scene.wording import shown


class BudgetOptions(Table):
    """Options of the energy budget."""

    # as for Options
    model_config = ConfigDict(use_attribute_docstrings=False)


def _budget_model() -> type[Table]:
    """The options of the budget, but for the method inside, which is the table around it."""
    held = {key for key, hint in get_type_hints(EnergyBudget).items() if hint is Method}
    fields: dict[str, Any] = {key: f for key, f in dataclass_fields(EnergyBudget).items() if key not in held}
    return create_model("EnergyBudget", __base__=BudgetOptions, __doc__=EnergyBudget.__doc__, **fields)


def _switched(value: Any) -> Any:
    """true: all defaults; false: no budget."""
    if isinstance(value, bool):
        return {} if value else None
    if value is None or isinstance(value, dict | Table):
        return value
    raise ValueError(f"input should be true, false or a table such as {{ restore = 0.8 }}, found {shown(value)}")


if TYPE_CHECKING:
    Budget: TypeAlias = BudgetOptions | None
else:
    _options = _budget_model()
    Budget = Annotated[_options | None, BeforeValidator(_switched, json_schema_input_type=bool | _options)]


class IntegratorOptions(Options):
    """A method with its options, and the budget around it."""

    if TYPE_CHECKING:
        name: str
        budget: BudgetOptions | None

    @property
    def label(self) -> str:
        """Name of the method as people see it: `backward-euler + budget`."""
        return f"{self.name} + budget" if isinstance(self.budget, BudgetOptions) else self.name

    def make(self) -> Any:
        return self.around(super().make())

    def around(self, method: Method) -> Method:
        """Any method with the budget of this table."""
        return EnergyBudget(of=method, **dict(self.budget)) if isinstance(self.budget, BudgetOptions) else method


@cache
def integrator_model(name: str) -> type[IntegratorOptions]:
    """The table of one method."""
    cls = INTEGRATORS.find(name)
    words = "The energy budget: true, or a table of its options."
    own: dict[str, Any] = {"budget": (Budget, Field(default=None, description=words))}
    bases: Any = (IntegratorOptions, options_model(cls, "name", name))
    model: type[IntegratorOptions] = create_model(
        f"{cls.__name__}Integrator",
        __base__=bases,
        __doc__=cls.__doc__,
        **own,
    )
    return model


if TYPE_CHECKING:
    IntegratorTable: TypeAlias = IntegratorOptions
else:
    IntegratorTable = tagged_union(map(integrator_model, sorted(INTEGRATORS.load())), "name")
