"""Corotational linear elasticity of tets, for isotropic and anisotropic stiffness: Felippa 2000, Kharevych 2010, chapter 2.

An element is linearly elastic as seen from a frame R that rotates with it. With b, b0 the centres of its corners,

    u_a = R^T (x_a - b) - (X_a - b0),   W = 1/2 u^T K u   =   volume/2 e : C : e,   e = sym(R^T F) - I
polar:   R is the rotation of F = R S (the isotropic case is the material `corotated`)
kabsch:  R minimises sum_a |u_a|^2, the displacements seen from the frame

Gradient and Hessian are the exact derivatives of W, including the rotation of the frame (kernels.py). Without it forces
would do work in rotations and exert a torque on a free body, unless the frame is polar and C isotropic. `framed` is the
same body with the frames of one configuration: a quadratic energy with the positive semidefinite matrix R K R^T.

An element with three or more pinned corners has a fixed frame; with two, its frame rotates about the line through them.
`held` specifies the pinned vertices. The gradient is exact for all vertices that are not pinned.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from supple.energies.corotational import mandel
from supple.energies.corotational.frames import ABOUT_AXIS, FramedParameters, rotations
from supple.energies.corotational.kernels import FIXED_FRAMES, FRAMED
from supple.energies.corotational.pull import by_frames, by_moved_rest, by_stiffness, unshared_held
from supple.energies.corotational.rest import Frame, Held, normalised, rest_frames
from supple.energies.roles.elastic import Elastic
from supple.energies.samples import Samples
from supple.energies.solids.solid import Solid
from supple.energies.term import EnergyTerm, Placement
from supple.errors import SuppleError
from supple.linalg.parts import Parts
from supple.linalg.threads import threads
from supple.materials.law import Law
from supple.materials.material import Material, Modulus
from supple.types import Array, Ints


@dataclass(frozen=True, eq=False)
class _Framed(Material):
    """The density of elements whose frames rotate with them."""

    values: FramedParameters
    name: ClassVar[str] = "corotational"

    @property
    def law(self) -> Law:
        return FRAMED

    def constants(self) -> dict[str, Modulus]:
        return {}

    def parameters(self, m: int) -> Array:
        return _table(m, *self.values)


@dataclass(frozen=True, eq=False)
class _Fixed(Material):
    """The density of elements whose frames are given."""

    stiffness: Array
    """(m, 6, 6) as in mandel.py."""
    rotation: Array
    """(m, 3, 3)"""
    name: ClassVar[str] = "corotational"
    degree: ClassVar[int | None] = 2

    @property
    def law(self) -> Law:
        return FIXED_FRAMES

    def constants(self) -> dict[str, Modulus]:
        return {}

    def parameters(self, m: int) -> Array:
        return _table(m, self.stiffness, self.rotation)


def _table(m: int, *arrays: Array | Ints) -> Array:
    """(m, c) all parameters of each element."""
    return np.concatenate([np.reshape(array, (m, -1)) for array in arrays], axis=1, dtype=np.float64)


class Corotational(EnergyTerm, Elastic):
    """Linear elasticity seen from frames that rotate with the elements."""

    group: ClassVar[str] = "elastic"
    proportional_to: ClassVar[frozenset[str]] = frozenset({"stiffness"})

    def __init__(
        self, rest: Array, tets: Ints, stiffness: Array, frame: Frame = "polar", held: Held | None = None
    ) -> None:
        """rest (n, 3) [m]; tets (m, 4), in any orientation; stiffness 6x6 or (m, 6, 6) [Pa] as in mandel.py."""
        tets = np.asarray(tets)
        C, frames = mandel.checked(stiffness, len(tets)), rest_frames(rest, tets, frame, held)
        self.frame = frame
        self.isotropic = mandel.is_isotropic(C)
        self.rest, self._tets, self._held = rest, tets, held
        self._origin: Corotational | None = None
        self._turn: Array | None = None
        self._values = FramedParameters(C, frames.metric, frames.kind, frames.axis, frames.start)
        self._solid = Solid(rest, tets, _Framed(self._values))
        self.elements = self._solid.elements

    @property
    def plain(self) -> bool:
        """Whether frame rotation contributes nothing to the forces: polar or fixed frames of isotropic elements."""
        return self.frame == "polar" and self.isotropic and not (self._values.kind == ABOUT_AXIS).any()

    def frames(self, x: Array) -> Array:
        """(m, 3, 3) R of every tet."""
        out = np.empty((len(self.elements), 9))
        rotations(self._values, x, self.elements, self._solid.shape, threads(), out)
        return out.reshape(-1, 3, 3)

    def framed(self, x: Array) -> Solid:
        """The same elements with the frames that they have at x: 1/2 u^T K u, quadratic and never negative."""
        return self.with_frames(self.frames(x))

    def with_frames(self, R: Array) -> Solid:
        """The same with frames (m, 3, 3)."""
        return _with_law(self._solid, _Fixed(self._values.stiffness, R))

    def resting_at(self, x: Array) -> EnergyTerm:
        """The same elements at rest at x; the axes of C and the rest data of the frames move with them."""
        F, R = self._solid.deformation_gradients(x), self.frames(x)
        old, m = self._values, len(F)
        J = old.metric.reshape(m, 3, 3)
        moved = (old.kind == ABOUT_AXIS) | (self.frame == "kabsch")
        other = copy.copy(self)
        other.rest, other._origin, other._turn = x, self, R
        other._values = FramedParameters(
            mandel.turned(old.stiffness, R),
            np.where(moved[:, None, None], normalised(F @ J @ np.swapaxes(F, 1, 2)), J).reshape(m, 9),
            old.kind,
            np.einsum("mij,mj->mi", R, old.axis),
            np.tile(np.eye(3).ravel(), (m, 1)),
        )
        rested = self._solid.resting_at(x)
        assert isinstance(rested, Solid)
        other._solid = _with_law(rested, _Framed(other._values))
        return other

    def element_values(self, x: Array) -> Array:
        return self._solid.element_values(x)

    def element_gradients(self, x: Array) -> Array:
        return self._solid.element_gradients(x)

    def element_hessians(self, x: Array) -> Array:
        return self._solid.element_hessians(x)

    def projected_hessians(self, x: Array) -> Array:
        return self._solid.projected_hessians(x)

    def element_mean_gradients(self, x0: Array, x1: Array) -> Array:
        return self._solid.element_mean_gradients(x0, x1)

    def element_mean_jacobians(self, x0: Array, x1: Array) -> Array:
        return self._solid.element_mean_jacobians(x0, x1)

    def add_product(self, samples: Samples, parts: Parts, move: Array, out: Array) -> None:
        self._solid.add_product(samples, parts, move, out)

    def element_products(self, x: Array, move: Array) -> Array:
        return self._solid.element_products(x, move)

    def element_works(self, samples: Samples, lam: Array) -> Array:
        return self._solid.element_works(samples, lam)

    def constants(self) -> dict[str, Array]:
        """(m, 6, 6) `stiffness` as in mandel.py, along the axes of the body in its original rest configuration."""
        return {"stiffness": self._values.stiffness} if self._origin is None else self._origin.constants()

    def _set_constant(self, name: str, values: Array) -> None:
        if name != "stiffness":
            raise SuppleError(f"Corotational: unknown constant '{name}'; it has stiffness")
        self._use(self._values._replace(stiffness=values if self._turn is None else mandel.turned(values, self._turn)))

    def _use(self, values: FramedParameters) -> None:
        """Change a copy."""
        self._values, self._solid = values, _with_law(self._solid, _Framed(values))

    def unshared(self) -> Self:
        other = super().unshared()
        other._solid = other._solid.unshared()
        other._tets, other._held = np.empty_like(other.elements), unshared_held(self.elements, self._held)
        np.put_along_axis(other._tets, np.argsort(self._tets, axis=1), other.elements, axis=1)
        return other

    def with_rest_frames(self, rest: Array) -> Self:
        """The same elements with frames of another rest shape (n, 3)."""
        found, other = rest_frames(rest, self._tets, self.frame, self._held), copy.copy(self)
        other._use(FramedParameters(self._values.stiffness, found.metric, found.kind, found.axis, found.start))
        return other

    def pull(self, samples: Samples, lam: Array) -> dict[str, Array]:
        """Exact for the stiffness; by differences where frames depend on the rest shape."""
        if self._origin is not None:
            rest = by_moved_rest(self._origin, self.rest, samples, lam)
        else:
            rest = self._solid.pull(samples, lam)["rest"]
            if self.frame == "kabsch" or self._held is not None:
                rest += by_frames(self, samples, lam)
        return {"stiffness": by_stiffness(self, samples, lam), "rest": rest}

    def add_value_gradient(self, samples: Samples, parts: Parts, gradient: Array) -> float:
        return self._solid.add_value_gradient(samples, parts, gradient)

    def add_hessian(self, samples: Samples, place: Placement, values: Array, project: bool = False) -> None:
        self._solid.add_hessian(samples, place, values, project)


def _with_law(solid: Solid, law: Material) -> Solid:
    """The same tets with another density."""
    other = copy.copy(solid)
    other.material, other.degree, other.parameters = law, law.degree, law.parameters(len(solid.elements))
    return other
