"""From a fine body to a coarse one, in five stages that take time on large bodies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from supple.coarsening.coarse_body import CoarseBody
from supple.coarsening.coarse_mass import coarse_mass
from supple.coarsening.effective import Method, Naive, effective_tensors, naive_tensors
from supple.coarsening.fine_body import FineBody
from supple.coarsening.harmonic import harmonic_displacements
from supple.coarsening.overlap import Overlaps, check_covers, overlaps
from supple.coarsening.sampling import locate, sampled
from supple.errors import MeshError
from supple.mesh.mesh import Mesh
from supple.mesh.topology import boundary_triangles
from supple.types import Array, Ints

OUTSIDE = -1.0
"""Barycentric coordinate below which a coarse vertex is too far from the fine body for comparison."""
SLAB = 0.02
"""Fraction of the body's extent, from its lowest coordinate, that is fixed."""
FLAT = -1e-6
"""Barycentric coordinate of coarse vertices at a flat end: they lie on the fine body."""
MOST_HELD = 0.5
"""Largest fraction of the body's extent that may be fixed."""
STAGES = ("shared volumes of tets", "harmonic displacements", "effective tensors", "fine surface")


def coarsen(
    fine: FineBody,
    coarse: Mesh,
    method: Method = "average",
    pinned: Ints | None = None,
    progress: Callable[[str], None] | None = None,
) -> CoarseBody:
    """A body on the tets of `coarse` that moves like `fine`. `pinned`: fine vertices that will be fixed in the
    simulation; `progress` is called with each stage before it starts."""
    tell = progress or (lambda _: None)
    tell(STAGES[0])
    found = overlaps(fine.vertices, fine.tets, coarse.vertices, coarse.tets)
    check_covers(found, fine.volumes, len(coarse.tets))
    mass = coarse_mass(fine, coarse.tets, coarse.n, found)
    tell(STAGES[1])
    H = harmonic_displacements(fine, pinned)
    tell(STAGES[2])
    effective = effective_tensors(fine, H, coarse.vertices, coarse.tets, found, method)
    tell(STAGES[3])
    faces = boundary_triangles(fine.tets)
    seen, triangles = np.unique(faces, return_inverse=True)
    host, coordinates = locate(fine.vertices[seen], coarse.vertices, coarse.tets)
    facts = {
        "method": method,
        "fine_tets": len(fine.tets),
        "coarse_tets": len(coarse.tets),
        "fallback_tets": int(effective.fallback.sum()),
        "largest_condition": float(np.max(effective.condition[np.isfinite(effective.condition)], initial=0.0)),
        "mass": fine.mass,
    }
    return CoarseBody(
        vertices=np.array(coarse.vertices),
        tets=np.array(coarse.tets),
        stiffness=effective.stiffness,
        mass=mass,
        coverage=effective.coverage,
        harmonics=sampled(H, fine.tets, *locate(coarse.vertices, fine.vertices, fine.tets)),
        skin=fine.vertices[seen],
        skin_triangles=triangles.reshape(-1, 3).astype(np.int32),
        host=host,
        coordinates=coordinates,
        skin_harmonics=H[:, seen],
        facts=facts,
    )


@dataclass(frozen=True)
class Pair:
    """A fine body and a coarse mesh, with cached intermediate results."""

    fine: FineBody
    coarse: Mesh
    pinned: Ints | None = None

    @cached_property
    def found(self) -> Overlaps:
        found = overlaps(self.fine.vertices, self.fine.tets, self.coarse.vertices, self.coarse.tets)
        check_covers(found, self.fine.volumes, len(self.coarse.tets))
        return found

    @cached_property
    def H(self) -> Array:
        return harmonic_displacements(self.fine, self.pinned)

    @cached_property
    def mass(self) -> Array:
        return coarse_mass(self.fine, self.coarse.tets, self.coarse.n, self.found)

    @cached_property
    def places(self) -> tuple[Ints, Array]:
        """Fine tet and coordinates of each coarse vertex."""
        return locate(self.coarse.vertices, self.fine.vertices, self.fine.tets)

    @cached_property
    def compared(self) -> np.ndarray:
        """(v,) whether a coarse vertex lies in or close to the fine body."""
        near = self.places[1].min(axis=1) > OUTSIDE
        return near if near.any() else np.ones_like(near)

    def at_coarse(self, field: Array) -> Array:
        """(k, v, 3) values at the coarse vertices of fields (k, n, 3) of the fine body."""
        return sampled(field, self.fine.tets, *self.places)

    def body(self, method: Method | Naive) -> FineBody:
        """The coarse mesh with the tensors of a method, or with the means of fine tensors or moduli."""
        v, tets = self.coarse.vertices, self.coarse.tets
        if method == "naive" or method == "moduli":
            C = naive_tensors(self.fine, v, tets, self.found, method)
        else:
            C = effective_tensors(self.fine, self.H, v, tets, self.found, method).stiffness
        return FineBody(v, tets, C, np.ones(len(tets)))

    def error(self, u: Array, wanted: Array) -> float:
        """Relative error of fields (..., v, 3) at the compared vertices."""
        u, wanted = u[..., self.compared, :], wanted[..., self.compared, :]
        return float(np.linalg.norm(u - wanted) / np.linalg.norm(wanted))

    def held(self, axis: int) -> tuple[Ints, Ints]:
        """Fine and coarse vertices of the lowest part along an axis, to fix both bodies in the same way.

        The part is a thin slab if the body has a flat end there, otherwise as deep as the first coarse tets.
        """
        fine, coarse = self.fine.vertices[:, axis], self.coarse.vertices[:, axis]
        low, span = float(fine.min()), float(np.ptp(fine))
        top = low + SLAB * span
        first = coarse <= top
        if not first.any() or self.places[1][first].min() < FLAT:
            touched = self.coarse.tets[first[self.coarse.tets].any(axis=1)]
            deep = float(coarse[touched].max(initial=top)) + 1e-9 * span
            top = deep if deep < low + MOST_HELD * span else top
        found = [np.flatnonzero(along <= top).astype(np.int32) for along in (fine, coarse)]
        for kind, own, X in zip(("fine", "coarse"), found, (self.fine.vertices, self.coarse.vertices), strict=True):
            if np.linalg.matrix_rank(X[own] - X[own].mean(axis=0), tol=1e-9 * span) < 2:
                raise MeshError(
                    f"the {len(own)} {kind} vertices at the lowest {'xyz'[axis]} lie on a line and cannot fix the body: "
                    f"{', '.join(map(str, own[:5]))}; take more cells along {'xyz'[axis]}"
                )
        return found[0], found[1]
