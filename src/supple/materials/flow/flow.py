"""What a material that flows has beside its energy density: a return of F, called by address once per batch.

    void flow(double *constants, double *F, double *taken)
changes F and the history, which is the last of the constants, in place; arrays are laid out as in kernel.py. The first LANES
entries of `taken` are the density that the flow dissipated, at the stiffness before it; the next ones the density that
hardening added at the new F. Both are exact, so that a ledger closes [J/m^3].

Flows in principal stretches are given F = U diag(1 + e) V^T, with rotations U and V and e2 < -1 where F is inverted, by the same
decomposition as principal laws (principal/decomposition.py); e is infinite where F is not a number.
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
    """The same of a function flow(constants, e, U, V, F, taken)."""

    @cached_property
    def _compiled(self) -> Joined:
        from supple.materials.principal.sequence import Call, Place, sequence

        constants, F, taken, A, U, V, e = map(Place, range(7))
        own = compiled_batch(self.function, 6)
        calls = [decomposing(F, A, U, V, e), Call(int(own.address), [constants, e, U, V, F, taken])]
        return sequence(3, ROOMS, calls, own)


@dataclass(frozen=True, eq=False)
class ExplicitLaw:
    """A law without a tangent: explicit steps ask for stresses only. Its function density(constants, e, psi, slopes) gives psi
    and its derivatives by the three stretches."""

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
        raise TypeError("a material that flows has no tangent: mpm of symplectic-euler needs none")


class FlowMaterial(Material):
    """Base of the materials that flow; `constants` ends with the history, as it is at the start."""

    remembers: ClassVar[int] = 0
    """How many of the constants are history."""
    takes_energy: ClassVar[bool] = True
    """Whether the return may lower the energy. One that does not may follow an implicit step."""

    @property
    def law(self) -> Law:
        raise NotImplementedError

    @property
    def returns(self) -> Return:
        """The flow as machine code, in this process."""
        raise NotImplementedError

    @property
    def wave_modulus(self) -> float:
        """Stiffness of pressure waves at rest [Pa]."""
        raise NotImplementedError

    def stiffening(self, F: Array, history: Array) -> float:
        """Factor of the speed of sound at deformation gradients (m, 3, 3) and histories (m, k), beyond that at rest [-]."""
        return largest_stretch(F)

    @property
    def viscous(self) -> Modulus:
        """Shear viscosity, of all particles or of each [Pa s]."""
        return 0.0


def largest_stretch(F: Array) -> float:
    """A bound of the largest singular value of any F (m, 3, 3), at least 1: the rows of F^T F [-]."""
    from supple.materials.flow.batches import largest_row

    return float(np.sqrt(max(1.0, largest_row(np.ascontiguousarray(F).reshape(-1, 9)))))
