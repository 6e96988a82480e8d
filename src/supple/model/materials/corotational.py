"""Linear elasticity in frames that rotate with the elements, isotropic or anisotropic."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

import numpy as np
from annotated_types import Len

from supple.energies.corotational import mandel
from supple.energies.corotational.rest import Held
from supple.energies.corotational.term import Corotational as CorotationalTerm
from supple.energies.term import EnergyTerm
from supple.errors import SuppleError
from supple.materials.material import Moduli
from supple.model.materials.structure import STRUCTURES, Structure
from supple.types import Array
from supple.values import Poisson, Positive

if TYPE_CHECKING:
    from supple.model.placed import Placed

Row = Annotated[tuple[float, ...], Len(6, 6)]


@STRUCTURES("corotational")
@dataclass(frozen=True)
class Corotational(Structure):
    """Linear elasticity in frames that rotate with the elements, isotropic or anisotropic.

    Energy volume/2 e : C : e with e = sym(R^T F) - I; isotropic with polar frames it is `corotated`.
    """

    young: Positive | None = None
    """Young's modulus [Pa], with `poisson`."""
    poisson: Poisson | None = None
    """Poisson's ratio [-]."""
    stiffness: Annotated[tuple[Row, ...], Len(6, 6)] | None = None
    """C [Pa] instead of `young` and `poisson`: six rows of six over (e11, e22, e33, sqrt2 e23, sqrt2 e13, sqrt2 e12), symmetric
    and without negative eigenvalues. An isotropic body has lam in the first three rows and columns and 2 mu on the diagonal."""
    frame: Literal["polar", "kabsch"] = "polar"
    """The rotation of the deformation gradient, or the rotation with the smallest displacements of the corners."""
    pinned_frames: bool = False
    """Whether frames of elements with two pinned corners rotate only about the line through them, and those with
    three do not rotate; pinned vertices are those of `body.pin`."""

    stiffnesses: ClassVar[tuple[str, ...]] = ("young",)

    def __post_init__(self) -> None:
        moduli = [key for key in ("young", "poisson") if getattr(self, key) is not None]
        if (self.stiffness is None) != (len(moduli) == 2) or (self.stiffness is not None and moduli):
            found = ", ".join([*moduli, *(["stiffness"] if self.stiffness is not None else [])]) or "none of them"
            raise SuppleError(f"give either young and poisson, or stiffness, found {found}")
        try:
            mandel.checked(self.tensor(), 1)
        except SuppleError as error:
            raise SuppleError(
                str(error).replace("the matrix of 1 tets", "the matrix").replace(", the first is tet 0", "")
            ) from error

    def tensor(self) -> Array:
        """(6, 6) C [Pa]."""
        if self.stiffness is not None:
            return np.array(self.stiffness)
        return mandel.isotropic(self.young, self.poisson)

    @property
    def moduli(self) -> Moduli | None:
        """Young's modulus and Poisson's ratio, if the body is isotropic."""
        return None if self.young is None or self.poisson is None else (self.young, self.poisson)

    def terms(self, placed: Placed) -> Iterator[EnergyTerm]:
        held = None
        if self.pinned_frames and len(placed.pinned):
            held = Held(placed.own(placed.pinned), placed.x[placed.pinned])
        yield CorotationalTerm(placed.vertices, placed.tets(self.name), placed.tensors(), self.frame, held)

    def scaled(self, factor: float) -> Corotational:
        if self.stiffness is None:
            return super().scaled(factor)
        rows = tuple(tuple(factor * c for c in row) for row in self.stiffness)
        return replace(self, stiffness=rows)
