"""Muscles: parts of a body that contract on command.

Springs (ropes, nets) have their rest lengths multiplied by 1 - c. In a solid a muscle is a bundle of fibres in
addition to the material:

    psi = strength/2 (|F a| - (1 - c))^2        a: direction of the fibres at rest, c: contraction

which is stress-free at rest for c = 0. The work of a changing contraction is booked as external work.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, TypeAlias

import numpy as np
import numpy.typing as npt
from annotated_types import Ge, Lt

from supple.checks import checked
from supple.energies.drive import DrivenConstants
from supple.energies.solids.solid import Solid
from supple.energies.springs.central import CentralSprings
from supple.energies.term import EnergyTerm
from supple.errors import SuppleError
from supple.formulas.curves import OVER_TIME, at_time
from supple.formulas.places.fields import VectorOfPlace, value_at
from supple.materials.formula_material import material
from supple.mesh.regions import centres
from supple.model.changing.drives import driven
from supple.types import Array
from supple.values import Positive

if TYPE_CHECKING:
    from supple.model.placed import Placed

Flags: TypeAlias = npt.NDArray[np.bool_]
FIBRES = "k/2*(sqrt(I4) - 1 + c)^2"


@checked
@dataclass(frozen=True)
class Muscle:
    """A part of a body that contracts."""

    contraction: Annotated[float, Ge(-1), Lt(1), OVER_TIME]
    """Target shortening relative to its length, negative for extension; usually a curve over time [-]."""
    group: str | None = None
    """Vertex group: springs or tets with all corners in it belong to the muscle; the whole body if absent."""
    along: VectorOfPlace | None = None
    """Direction of the fibres of a solid at rest; numbers or expressions in X, Y, Z."""
    strength: Positive | None = None
    """Stiffness of the fibres of a solid [Pa]."""

    def on_springs(self, term: EnergyTerm, placed: Placed, column: str) -> EnergyTerm:
        """Springs with rest lengths that follow the contraction."""
        assert isinstance(term, CentralSprings)
        if self.along is not None or self.strength is not None:
            raise SuppleError("along and strength are for solids; springs shorten along themselves: leave them out")
        chosen, length = self._elements(term, placed), term.rest_length

        def values(t: float) -> dict[str, Array]:
            return {"rest_length": np.where(chosen, (1.0 - self._at(t)) * length, length)}

        return driven(term, DrivenConstants(column, values))

    def fibres(self, placed: Placed, column: str) -> Iterator[EnergyTerm]:
        """The term of fibres in a solid."""
        if self.along is None or self.strength is None:
            missing = " and ".join(key for key in ("along", "strength") if getattr(self, key) is None)
            raise SuppleError(
                f"a muscle of a solid needs {missing}: the direction of its fibres and their stiffness [Pa]"
            )
        tets = placed.tets("muscle")
        part = np.isin(tets, placed.own(placed.mesh.groups[self.group])).all(axis=1) if self.group else slice(None)
        chosen, points = tets[part], centres(placed.mesh)[part]
        if not len(chosen):
            raise SuppleError(f"group '{self.group}' has no tet with all four corners in it")
        fibre = np.broadcast_to(np.asarray(value_at(self.along, points), dtype=np.float64), points.shape)
        law = material("muscle", FIBRES, fibre=np.ascontiguousarray(fibre), k=self.strength, c=self._at(0.0))
        term = Solid(placed.vertices, chosen, law)
        yield driven(term, DrivenConstants(column, lambda t: {"c": np.full(len(chosen), self._at(t))}))

    def _elements(self, term: EnergyTerm, placed: Placed) -> Flags:
        if self.group is None:
            return np.ones(len(term.elements), dtype=bool)
        chosen: Flags = np.asarray(np.isin(term.elements, placed.own(placed.mesh.groups[self.group])).all(axis=1))
        if not chosen.any():
            raise SuppleError(f"group '{self.group}' has no spring with both ends in it")
        return chosen

    def _at(self, t: float) -> float:
        value = at_time(self.contraction, t, "muscle.contraction")
        if not -1.0 <= value < 1.0:
            raise SuppleError(f"muscle.contraction: found {value:g} at t = {t:g} s; it must be at least -1 and below 1")
        return value
