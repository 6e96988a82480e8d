"""Bodies made by `supple coarsen`: tets, tensors and masses are read from the file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from supple.energies.corotational.term import Corotational
from supple.energies.term import EnergyTerm
from supple.errors import SuppleError
from supple.model.materials.structure import STRUCTURES, Structure
from supple.values import Positive

if TYPE_CHECKING:
    from supple.model.placed import Placed


@STRUCTURES("coarse")
@dataclass(frozen=True)
class Coarse(Structure):
    """The tensors in the file of a coarse body, with or without frames that rotate with the tets.

    Energy volume/2 e : C : e with the tensor C of each tet; only with `mesh.coarse`, whose masses are used, too.
    """

    law: Literal["corotational", "linear"] = "corotational"
    """e = sym(R^T F) - I with the rotation R of F, for rotating bodies; or e = sym(F) - I, quadratic, for small rotations."""
    factor: Positive = 1.0
    """Factor on the tensors of the file [-]."""

    from_file: ClassVar[bool] = True
    stiffnesses: ClassVar[tuple[str, ...]] = ("factor",)

    def terms(self, placed: Placed) -> Iterator[EnergyTerm]:
        if placed.coarse is None:
            raise SuppleError("'coarse' is for bodies made by `supple coarsen`; give mesh = { coarse = \"FILE.npz\" }")
        tets = placed.tets(self.name)
        term = Corotational(placed.vertices, tets, self.factor * placed.coarse.stiffness)
        yield term if self.law == "corotational" else term.with_frames(np.tile(np.eye(3), (len(tets), 1, 1)))
