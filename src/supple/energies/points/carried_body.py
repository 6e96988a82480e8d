"""A term of a mesh embedded in the grid, as a function of node positions.

Vertices are particles without a deformation gradient: x(y) = x + W (y - X).  The term keeps its own loops: values,
gradients g and the stiffness K are computed on the mesh, and the nodes receive W^T g and W^T K W.  Its degree is
unchanged, since x(y) is linear, and with it the conservation properties of quadrature rules and discrete gradients
along a step.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from supple.energies.points.body_kernels import body_hessian_part
from supple.energies.points.pairs import Pairs
from supple.energies.points.passage import Passage
from supple.energies.roles.whole_body import WholeBody
from supple.energies.samples import Samples
from supple.energies.term import EnergyTerm, Placement
from supple.linalg.parts import Parts, split_elements
from supple.linalg.pattern import symmetric_pattern
from supple.linalg.pool import in_parts
from supple.types import Array, Ints


class CarriedBody(EnergyTerm):
    """The term `of`, whose elements join several vertices."""

    def __init__(self, of: EnergyTerm, passage: Passage) -> None:
        self.of, self.pairs = of, Pairs(of.elements, passage)
        self.elements = self.pairs.corners
        self.degree = of.degree
        self.group = of.group  # type: ignore[misc]
        self._mesh = _Mesh(of.elements, len(passage.x))

    def element_values(self, x: Array) -> Array:
        values = self.of.element_values(self.pairs.places(x))
        home = np.zeros(len(self.pairs.passage.x), dtype=np.int64)
        home[self.pairs.own] = self.pairs.home
        return np.asarray(np.bincount(home[self.of.elements[:, 0]], values, len(self.elements)), dtype=np.float64)

    def element_gradients(self, x: Array) -> Array:
        return self.pairs.pulled(self._at_vertices(self.of.element_gradients(self.pairs.places(x))))

    def element_hessians(self, x: Array) -> Array:
        return self.pairs.squared(self.of.element_hessians(self.pairs.places(x)))

    def element_mean_gradients(self, x0: Array, x1: Array) -> Array:
        return self.pairs.pulled(
            self._at_vertices(self.of.element_mean_gradients(self.pairs.places(x0), self.pairs.places(x1)))
        )

    def element_mean_jacobians(self, x0: Array, x1: Array) -> Array:
        return self.pairs.squared(self.of.element_mean_jacobians(self.pairs.places(x0), self.pairs.places(x1)))

    def add_value_gradient(self, samples: Samples, parts: Parts, gradient: Array) -> float:
        pull = np.zeros_like(self.pairs.passage.x)
        total = self.of.add_value_gradient(self._seen(samples), self._mesh.place.parts, pull)
        self.pairs.at_nodes(pull, gradient)
        return total

    def add_hessian(self, samples: Samples, place: Placement, values: Array, project: bool = False) -> None:
        p, parts = self.pairs, place.parts
        own = np.zeros(self._mesh.pattern.nnz)
        self.of.add_hessian(self._seen(samples), self._mesh.place, own, project)
        blocks = self._mesh.blocks(own, p)
        rows = place.unknowns, place.row_length, place.slots

        def cells(k: int) -> None:
            given = p.corners, p.size, p.start, p.one, p.two, p.place, p.passage.w, blocks
            body_hessian_part(k, *given, parts.owner, parts.chosen(k), *rows, values)

        in_parts(cells, parts.count)

    def _seen(self, samples: Samples) -> Samples:
        """The samples at the vertex positions."""
        places = np.stack([self.pairs.places(x) for x in samples.x])
        return Samples(places, samples.energy, samples.force, samples.curvature)

    def _at_vertices(self, gradients: Array) -> Array:
        out = np.zeros_like(self.pairs.passage.x)
        np.add.at(out, self.of.elements, gradients)
        return out


class CarriedWhole(CarriedBody, WholeBody):
    """A term that couples all vertices of a mesh."""

    def __init__(self, of: EnergyTerm, passage: Passage) -> None:
        super().__init__(of, passage)
        if not isinstance(of, WholeBody):
            raise TypeError(f"{type(of).__name__} is not an energy of a whole body")
        self._whole: WholeBody = of

    def outer_products(self, samples: Samples) -> Sequence[tuple[float, Array]]:
        return [(weight, self._at_nodes(field)) for weight, field in self._whole.outer_products(self._seen(samples))]

    def _at_nodes(self, field: Array) -> Array:
        out = np.zeros_like(self.pairs.passage.nodes)
        self.pairs.at_nodes(field, out)
        return out


def carried_body(of: EnergyTerm, passage: Passage) -> CarriedBody:
    """A term of a mesh as a function of the nodes, with the role that remains valid there."""
    return CarriedWhole(of, passage) if isinstance(of, WholeBody) else CarriedBody(of, passage)


class _Mesh:
    """The matrix of a term over its own vertices."""

    def __init__(self, elements: Ints, n: int) -> None:
        self.pattern = symmetric_pattern(n, [elements])
        parts = split_elements(elements, np.zeros(n, dtype=np.int32))
        numbers = np.arange(n, dtype=np.int32)
        self.place = Placement(parts, numbers, self.pattern, elements)

    def blocks(self, values: Array, pairs: Pairs) -> Array:
        """(., 3, 3) of all pairs; half for pairs of a vertex with itself, which count twice."""
        low = np.minimum(pairs.one, pairs.two)
        slots, L = self.pattern.slots(pairs.one, pairs.two).astype(np.int64), self.pattern.row_length[low]
        rows = np.stack([slots, slots + L - 1, slots + 2 * L - 3], axis=1)
        same = pairs.one == pairs.two
        at = rows[:, :, None] + np.arange(3)
        below = same[:, None, None] & np.tri(3, k=-1, dtype=bool)
        K = np.where(below, 0.0, values[np.where(below, 0, at)])
        K = np.where(pairs.swapped[:, None, None], np.swapaxes(K, 1, 2), K)
        K[same] = 0.5 * (K[same] + np.swapaxes(np.triu(K[same], 1), 1, 2))
        return np.ascontiguousarray(K)
