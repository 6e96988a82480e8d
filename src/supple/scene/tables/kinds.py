"""Tables that are the options of registered kinds: `[[damping]]`, `[[constraint]]`, `[[energy]]`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from supple.damping import DAMPINGS
from supple.model.constraints.constraint import CONSTRAINTS
from supple.model.energies.energy import ENERGIES
from supple.scene.text.registry_models import options_models, tagged_union

if TYPE_CHECKING:
    DampingTable: TypeAlias = Any
    ConstraintTable: TypeAlias = Any
    EnergyTable: TypeAlias = Any
else:
    DampingTable = tagged_union(options_models(DAMPINGS.load(), "name"), "name")
    ConstraintTable = tagged_union(options_models(CONSTRAINTS.load(), "kind"), "kind")
    EnergyTable = tagged_union(options_models(ENERGIES.load(), "name"), "name")
