"""Terms whose mean along a step is not taken by the method's own quadrature."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from supple.linalg.quadrature import Rule
from supple.types import Array

if TYPE_CHECKING:
    from supple.energies.term import EnergyTerm


class AveragedOverSteps:
    """A term with a closed form of its mean along a step, apart from the rotation of normals on the way."""

    turns_nothing: ClassVar[bool] = False
    """Whether normals are constant, so the closed form is exact."""

    def averaged(self, x0: Array) -> EnergyTerm:
        """Psi(x1) whose gradient is the mean gradient of this term along the straight path from x0 to x1."""
        raise TypeError(f"{type(self).__name__} does not define averaged")


class OwnRule:
    """A term that requires a particular quadrature along a step, instead of the method's rule or a closed form."""

    rule: ClassVar[Rule]
