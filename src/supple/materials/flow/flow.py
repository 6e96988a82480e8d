"""The flow of a material in addition to its energy density: a return mapping of F, called by address once per batch.

    void flow(double *constants, double *F, double *taken)
changes F and the history, which is the last of the constants, in place; arrays are laid out as in kernel.py. The
first LANES entries of `taken` are the energy density dissipated by the flow, at the stiffness before it; the next
ones the density added by hardening at the new F. Both are exact, so the ledger closes [J/m^3].

Flows in principal stretches receive F = U diag(1 + e) V^T, with rotations U and V and e2 < -1 for inverted F, from
the same decomposition as principal laws (principal/decomposition.py); e is infinite if F is NaN.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from supple.materials.law import Law, compiled_batch
from supple.materials.material import Material, Modulus
from supple.materials.principal.law import ROOMS, decomposing
from supple.types import Array

if TYPE_CHECKING:
    from supple.materials.principal.sequence import Joined


@dataclass(frozen=True, eq=False)
class Return:
    """A flow written as a Python function of pointers, compiled on first use."""

    function: Callable[..., None]

    @property
    def address(self) -> int:
        return int(self._compiled.address)

    @cached_property
    def _compiled(self) -> Any:
        return compiled_batch(self.function, 3)


@dataclass(frozen=True, eq=False)
class PrincipalReturn(Return):
    """The same for a function flow(constants, e, U, V, F, taken)."""

    @cached_property
    def _compiled(self) -> Joined:
        from supple.materials.principal.sequence import Call, Place, sequence

        constants, F, taken, A, U, V, e = map(Place, range(7))
        own = compiled_batch(self.function, 6)
        calls = [decomposing(F, A, U, V, e), Call(int(own.address), [constants, e, U, V, F, taken])]
        return sequence(3, ROOMS, calls, own)


@dataclass(frozen=True, eq=False)
class ExplicitLaw:
    """A law without a tangent: explicit steps need stresses only. Its function density(constants, e, psi, slopes)
    computes psi and its derivatives with respect to the three stretches."""

    function: Callable[..., None]

    @property
    def response(self) -> int:
        return self._compiled.address

    @cached_property
    def _compiled(self) -> Joined:
        from supple.materials.principal import kernels
        from supple.materials.principal.sequence import Call, Place, sequence

        constants, F, psi, P, A, U, V, e, slopes = map(Place, range(9))
        own = compiled_batch(self.function, 4)
        calls = [
            decomposing(F, A, U, V, e),
            Call(int(own.address), [constants, e, psi, slopes]),
            Call(kernels.stress(), [U, V, slopes, P]),
        ]
        return sequence(4, (*ROOMS, 3), calls, own)

    @property
    def tangent(self) -> int:
        raise TypeError("a flowing material has no tangent: use mpm of symplectic-euler, which needs none")


class FlowMaterial(Material):
    """Base of the materials that flow; `constants` ends with the initial history."""

    remembers: ClassVar[int] = 0
    """Number of constants that are history."""
    takes_energy: ClassVar[bool] = True
    """Whether the return mapping may lower the energy; one that does not may follow an implicit step."""

    @property
    def law(self) -> Law:
        raise NotImplementedError

    @property
    def returns(self) -> Return:
        """The flow as machine code, in this process."""
        raise NotImplementedError

    @property
    def wave_modulus(self) -> float:
        """P-wave modulus at rest [Pa]."""
        raise NotImplementedError

    def stiffening(self, F: Array, history: Array) -> float:
        """Speed of sound at deformation gradients (m, 3, 3) and histories (m, k), relative to rest [-]."""
        return largest_stretch(F)

    @property
    def viscous(self) -> Modulus:
        """Shear viscosity, one value or one per particle [Pa s]."""
        return 0.0


def largest_stretch(F: Array) -> float:
    """Upper bound on the largest singular value of any F (m, 3, 3), at least 1, from the row sums of F^T F [-]."""
    from supple.materials.flow.batches import largest_row

    return float(np.sqrt(max(1.0, largest_row(np.ascontiguousarray(F).reshape(-1, 9)))))
