"""Check that a surface fits the tets it is bound to."""

from __future__ import annotations

import numpy as np

from supple.errors import MeshError
from supple.mesh.embedding.binding import Binding
from supple.mesh.mesh import Mesh
from supple.mesh.topology import surface

SMALL = 1e-6
"""Distance to the tets, relative to the size of the body, that counts as zero."""


def check_surface(where: str, skin: Mesh) -> None:
    """Reject a file without triangles or with coordinates that are not finite."""
    if not len(surface(skin)):
        raise MeshError(f"{where}: has no triangles, so it cannot be a skin; give a surface")
    bad = np.flatnonzero(~np.isfinite(skin.vertices).all(axis=1))
    if len(bad):
        raise MeshError(
            f"{where}: {len(bad)} of {skin.n} vertices have a NaN or infinite coordinate, the first is {bad[0]}; export the "
            "surface again, or correct these lines of the file"
        )


def outside(binding: Binding, size: float) -> int:
    """Points of the surface outside a body of that size [m]."""
    return int((binding.outside > SMALL * size).sum())


def check_fit(where: str, binding: Binding, size: float, scaling: str = "--skin-scale") -> list[str]:
    """Notes on vertices outside a body of that size [m]; a skin that lies elsewhere altogether is rejected.

    `scaling`: the option that converts the file's units to metres.
    """
    out = outside(binding, size)
    if not out:
        return []
    worst = float(binding.outside.max())
    if float(np.median(binding.outside)) > 0.5 * size:
        raise MeshError(
            f"{where}: this skin is {worst:.3g} m away from the body, which is {size:.3g} m long; it must fit the body at rest, "
            f"with the same axes and in metres ({scaling} 0.01 for centimetres)"
        )
    return [
        f"{where}: {out} of {len(binding.outside)} vertices lie outside the tets, up to {worst:.3g} m; they go with the "
        "nearest"
    ]
