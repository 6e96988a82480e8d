"""Tables that are the options of registered kinds: `[[damping]]`, `[[constraint]]`, `[[energy]]`, `[[field]]`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from supple.damping import DAMPINGS
from supple.model.constraints.constraint import CONSTRAINTS
from supple.model.energies.energy import ENERGIES
from supple.model.fields.field import FIELDS
from supple.scene.text.registry_models import table_choice

if TYPE_CHECKING:
    DampingTable: TypeAlias = Any
    ConstraintTable: TypeAlias = Any
    EnergyTable: TypeAlias = Any
    FieldTable: TypeAlias = Any
else:
    DampingTable = table_choice("name", DAMPINGS)
    ConstraintTable = table_choice("kind", CONSTRAINTS)
    EnergyTable = table_choice("name", ENERGIES)
    FieldTable = table_choice("name", FIELDS)
