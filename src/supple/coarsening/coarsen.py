"""From a fine body to a coarse one, in five stages that take a while on large bodies."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from supple.coarsening.coarse_body import CoarseBody
from supple.coarsening.coarse_mass import coarse_mass
from supple.coarsening.effective import Method, effective_tensors
from supple.coarsening.fine_body import FineBody
from supple.coarsening.harmonic import harmonic_displacements
from supple.coarsening.overlap import check_covers, overlaps
from supple.coarsening.sampling import locate, sampled
from supple.mesh.mesh import Mesh
from supple.mesh.topology import boundary_triangles
from supple.types import Ints

STAGES = ("volumes that tets share", "harmonic displacements", "effective tensors", "fine surface")


def coarsen(
    fine: FineBody,
    coarse: Mesh,
    method: Method = "average",
    pinned: Ints | None = None,
    progress: Callable[[str], None] | None = None,
) -> CoarseBody:
    """A body on the tets of `coarse` that moves like `fine`. `pinned`: fine vertices that are held in what is to come;
    `progress` hears of every stage before it begins."""
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
