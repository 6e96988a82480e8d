"""Energies of one measure of a whole body: V = U(m), m(x) = sum of a measure over all elements.

    gradient U'(m) m',   Hessian U'(m) m'' + U''(m) m' m'^T
The second part couples every vertex with every other and is kept beside the sparse matrix (`outer_products`). Three
measures: the volume inside a closed surface, the area of triangles, the volume of tets.

A law defines U: pressure laws push a closed surface outwards with p(m) = -U'(m).
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass, is_dataclass
from typing import Any, ClassVar, Protocol, Self

import numpy as np

from supple.energies.areas.measures import AREA, CONE, VOLUME, Measure
from supple.energies.differences import by_numbers
from supple.energies.roles.whole_body import WholeBody
from supple.energies.samples import Samples
from supple.energies.term import EnergyTerm, Placement
from supple.errors import MeshError, SuppleError
from supple.linalg.parts import Parts
from supple.linalg.psd import clamp_negative
from supple.linalg.reduce import dot
from supple.linalg.scatter import add_hessians
from supple.linalg.square import sum_at_vertices
from supple.materials.options import fields_of, unchecked
from supple.mesh.topology import boundary_edges
from supple.types import Array, Ints


class Law(Protocol):
    """U of a measure m whose value at rest is m0."""

    @property
    def degree(self) -> int | None:
        """Degree in m if U is a polynomial."""

    def energies(self, m: float, m0: float) -> tuple[float, float, float]:
        """U, U', U''."""


@dataclass(frozen=True)
class ConstantPressure:
    """U = -p (m - m0): a pressure independent of the volume, as with an open valve."""

    pressure: float
    """Relative to the pressure outside [Pa]."""

    @property
    def degree(self) -> int | None:
        return 1

    def energies(self, m: float, m0: float) -> tuple[float, float, float]:
        return -self.pressure * (m - m0), -self.pressure, 0.0


@dataclass(frozen=True)
class Gas:
    """An amount of gas: p = p0 (m0/m)^gamma inside, a constant pressure outside.

    U = p0 m0 ((m0/m)^(gamma - 1) - 1)/(gamma - 1) + p_out (m - m0), with -ln(m/m0) for the fraction where gamma = 1.
    """

    pressure: float
    """p0, absolute, in the volume at rest [Pa]."""
    ambient: float
    """p_out [Pa]."""
    exponent: float = 1.0
    """gamma: 1 for slow (isothermal) changes, 1.4 for fast (adiabatic) changes in air [-]."""

    def __post_init__(self) -> None:
        if not (self.pressure > 0.0 and self.ambient >= 0.0 and self.exponent >= 1.0):
            raise SuppleError(
                "gas: pressure must be positive, ambient not negative and exponent at least 1; found "
                f"{self.pressure:g}, {self.ambient:g} and {self.exponent:g}"
            )

    @property
    def degree(self) -> int | None:
        return None

    def energies(self, m: float, m0: float) -> tuple[float, float, float]:
        if m <= 0.0:
            return np.inf, np.nan, np.nan
        ratio, excess = m0 / m, self.exponent - 1.0
        p = self.pressure * ratio**self.exponent
        log = -np.log(ratio)
        inner = -log if excess == 0.0 else np.expm1(-excess * log) / excess
        value = self.pressure * m0 * inner + self.ambient * (m - m0)
        return float(value), self.ambient - p, self.exponent * p / m


@dataclass(frozen=True)
class Stiffness:
    """U = k (1 - m/m0)^2 m0: a body, or its content, that resists changes of area or volume."""

    stiffness: float
    """k; of areas [N/m], of volumes [Pa]."""

    @property
    def degree(self) -> int | None:
        return 2

    def energies(self, m: float, m0: float) -> tuple[float, float, float]:
        k, change = self.stiffness, m / m0 - 1.0
        return k * change**2 * m0, 2.0 * k * change, 2.0 * k / m0


class WholeMeasure(EnergyTerm, WholeBody):
    """One law for the sum of one measure."""

    group: ClassVar[str] = "elastic"

    def __init__(self, rest: Array, elements: Ints, measure: Measure, law: Law) -> None:
        """rest (n, 3) [m]; elements (m, k) as the measure requires."""
        self.elements = np.ascontiguousarray(elements, dtype=np.int32)
        self.measure, self.law, self.rest = measure, law, rest
        self.at_rest = self.size(rest)
        if not self.at_rest > 0.0:
            raise MeshError(f"{measure.noun}: the body at rest has {self.at_rest:g}; it must be positive")
        both = (measure.degree, law.degree)
        self.degree = None if both[0] is None or both[1] is None else both[0] * both[1]

    def with_law(self, law: Law) -> Self:
        """The same measure with another law."""
        other = copy.copy(self)
        other.law = law
        return other

    def size(self, x: Array) -> float:
        """m(x) [m^2 or m^3]."""
        return float(self.measure.values(self._corners(x)).sum())

    def pressure(self, x: Array) -> float:
        """-U'(m): for an enclosed volume, the pressure relative to the outside [Pa]."""
        return -self.law.energies(self.size(x), self.at_rest)[1]

    def element_values(self, x: Array) -> Array:
        """The energy of the whole body, shared evenly among the elements."""
        return np.full(len(self.elements), self.law.energies(self.size(x), self.at_rest)[0] / len(self.elements))

    def field(self, x: Array) -> Array:
        """(n, 3) m'(x)."""
        return sum_at_vertices(self.elements, self.measure.gradients(self._corners(x)), len(x))

    def _corners(self, x: Array) -> Array:
        # sums over closed surfaces do not depend on the origin, but their round-off does
        return x[self.elements] - x[self.elements[0, 0]]

    def element_hessians(self, x: Array) -> Array:
        """U'(m) m'', the part that couples neighbours only."""
        slope = self.law.energies(self.size(x), self.at_rest)[1]
        found: Array = slope * self.measure.hessians(self._corners(x))
        return found

    def add_value_gradient(self, samples: Samples, parts: Parts, gradient: Array) -> float:
        total = 0.0
        for x, energy, force in zip(samples.x, samples.energy, samples.force, strict=True):
            value, slope, _ = self.law.energies(self.size(x), self.at_rest)
            total += float(energy) * value
            gradient += (force * slope) * self.field(x)
        return total

    def add_hessian(self, samples: Samples, place: Placement, values: Array, project: bool = False) -> None:
        k = 3 * self.elements.shape[1]
        hessians = np.zeros((len(self.elements), k, k))
        for x, curvature in zip(samples.x, samples.curvature, strict=True):
            hessians += curvature * self.element_hessians(x)
        p = place.parts
        add_hessians(
            p.owner, p.start, p.elements, self.elements, place.unknowns, place.row_length, place.slots,
            clamp_negative(hessians) if project else hessians, values,
        )  # fmt: skip

    def constants(self) -> dict[str, Array]:
        """Parameters of the law, (1,) each, if it is a dataclass of parameters."""
        law: Any = self.law
        names = [f.name for f in fields_of(law)] if is_dataclass(law) else []
        return {name: np.array([getattr(law, name)]) for name in names}

    def _set_constant(self, name: str, values: Array) -> None:
        if name not in self.constants():
            raise SuppleError(f"{self.measure.noun}: unknown constant '{name}'; it has {', '.join(self.constants())}")
        self.law = unchecked(self.law, **{name: float(values[0])})

    def pull(self, samples: Samples, lam: Array) -> dict[str, Array]:
        """By differences for the law; for the rest shape through the measure of the whole body."""
        sizes, fields = [self.size(x) for x in samples.x], [self.field(x) for x in samples.x]
        weights = [float(force) * dot(lam, own) for force, own in zip(samples.force, fields, strict=True)]

        def work(law: Law, m0: float) -> Array:
            return np.array([sum(w * law.energies(m, m0)[1] for w, m in zip(weights, sizes, strict=True))])

        def by_constant(name: str, value: Array) -> Array:
            return by_numbers(lambda v: work(self.with_constant(name, v).law, self.at_rest), value)

        out = {name: by_constant(name, value) for name, value in self.constants().items()}
        by_size = by_numbers(lambda v: work(self.law, float(v[0])), np.array([self.at_rest]))
        return {**out, "rest": by_size[0] * self.field(self.rest)}

    def outer_products(self, samples: Samples) -> Sequence[tuple[float, Array]]:
        found = []
        for x, weight in zip(samples.x, samples.curvature, strict=True):
            curvature = self.law.energies(self.size(x), self.at_rest)[2]
            if curvature:
                found.append((float(weight) * curvature, self.field(x)))
        return found


def enclosed_volume(rest: Array, triangles: Ints, law: Law) -> WholeMeasure:
    """The volume inside a closed surface, regardless of the orientation of its triangles."""
    open_edges = boundary_edges(triangles)
    if not len(triangles) or len(open_edges):
        raise MeshError(
            f"enclosed volume: the surface has {len(open_edges)} open edges; only a closed surface has a volume inside "
            "(the shape sphere, or a closed surface from a file)"
        )
    corners = rest[triangles]
    inwards = CONE.values(corners - corners[0, 0]).sum() < 0.0
    return WholeMeasure(rest, triangles[:, [0, 2, 1]] if inwards else triangles, CONE, law)


def whole_area(rest: Array, triangles: Ints, law: Law) -> WholeMeasure:
    """The area of all triangles."""
    return WholeMeasure(rest, triangles, AREA, law)


def whole_volume(rest: Array, tets: Ints, law: Law) -> WholeMeasure:
    """The volume of all tets, regardless of the order of their corners."""
    turned = VOLUME.values(rest[tets]) < 0.0
    return WholeMeasure(rest, np.where(turned[:, None], tets[:, [0, 2, 1, 3]], tets), VOLUME, law)
