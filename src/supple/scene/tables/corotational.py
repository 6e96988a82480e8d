"""The material `corotational` of solids: `body.material` with a stiffness tensor and a kind of frame."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np
from annotated_types import Len
from pydantic import Strict, model_validator

from supple.energies.corotational import mandel
from supple.errors import SuppleError
from supple.scene.tables.fields import Number, Poisson, Positive
from supple.scene.text.registry_models import Table
from supple.types import Array

Row = Annotated[tuple[Number, ...], Len(6, 6)]


class CorotationalMaterial(Table):
    """Linear elasticity seen from frames that turn with the elements, isotropic or not."""

    name: Literal["corotational"]
    """Energy volume/2 e : C : e with e = sym(R^T F) - I; isotropic with polar frames it is `corotated`."""
    young: Positive | None = None
    """Young's modulus [Pa], with `poisson`."""
    poisson: Poisson | None = None
    """Poisson's ratio [-]."""
    stiffness: Annotated[tuple[Row, ...], Len(6, 6)] | None = None
    """C [Pa] instead of `young` and `poisson`: six rows of six over (e11, e22, e33, sqrt2 e23, sqrt2 e13, sqrt2 e12), symmetric
    and without negative eigenvalues. An isotropic body has lam in the first three rows and columns and 2 mu on the diagonal."""
    frame: Literal["polar", "kabsch"] = "polar"
    """The rotation of the deformation gradient, or the one with the smallest displacements of the corners."""
    pinned_frames: Annotated[bool, Strict()] = False
    """Whether frames of elements with two pinned corners turn only about the line through them, and those with three not at
    all; pinned are the vertices of `body.pin`."""

    def tensor(self) -> Array:
        """(6, 6) C [Pa]."""
        if self.stiffness is not None:
            return np.array(self.stiffness)
        return mandel.isotropic(self.young, self.poisson)

    @model_validator(mode="after")
    def _one_way(self) -> CorotationalMaterial:
        moduli = [key for key in ("young", "poisson") if getattr(self, key) is not None]
        if (self.stiffness is None) != (len(moduli) == 2) or (self.stiffness is not None and moduli):
            found = ", ".join([*moduli, *(["stiffness"] if self.stiffness is not None else [])]) or "none of them"
            raise ValueError(f"give either young and poisson, or stiffness, found {found}")
        try:
            mandel.checked(self.tensor(), 1)
        except SuppleError as error:
            raise ValueError(
                str(error).replace("that of 1 tets", "the matrix").replace(", the first is tet 0", "")
            ) from error
        return self
