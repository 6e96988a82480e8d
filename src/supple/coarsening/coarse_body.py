"""A coarse body that replaces a fine one, with the data to display the fine surface; stored in an .npz file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path

import numpy as np

from supple.arrays import Archive
from supple.errors import MeshError, SuppleError
from supple.interruption.placing import placed
from supple.mesh.mesh import Mesh
from supple.types import Array, Ints

FORMAT = "supple-coarse-body-1"


@dataclass(frozen=True)
class CoarseBody:
    """Coarse tets with their tensors and masses, and the fine surface bound to them."""

    vertices: Array
    """(v, 3) [m]."""
    tets: Ints
    """(q, 4)"""
    stiffness: Array
    """(q, 6, 6) in Mandel form [Pa]."""
    mass: Array
    """(v,) [kg]."""
    coverage: Array
    """(q,) fraction of each tet filled by the fine body."""
    harmonics: Array
    """(6, v, 3) harmonic displacements at the coarse vertices."""
    skin: Array
    """(f, 3) vertices of the fine surface at rest [m]."""
    skin_triangles: Ints
    """(t, 3)"""
    host: Ints
    """(f,) coarse tet of each vertex of the fine surface."""
    coordinates: Array
    """(f, 4) barycentric coordinates there."""
    skin_harmonics: Array
    """(6, f, 3) harmonic displacements of the fine surface."""
    facts: Mapping[str, object] = field(default_factory=dict)
    """Provenance: method, number of fine tets, tets with a fallback."""

    def __post_init__(self) -> None:
        v, q, f = len(self.vertices), len(self.tets), len(self.skin)
        shapes = {
            "stiffness": (q, 6, 6),
            "mass": (v,),
            "coverage": (q,),
            "harmonics": (6, v, 3),
            "host": (f,),
            "coordinates": (f, 4),
            "skin_harmonics": (6, f, 3),
        }
        for name, wanted in shapes.items():
            if getattr(self, name).shape != wanted:
                raise MeshError(f"coarse body: {name} has shape {getattr(self, name).shape}, must be {wanted}")

    @property
    def mesh(self) -> Mesh:
        """The coarse tets."""
        return Mesh(self.vertices, tets=self.tets)

    def save(self, path: Path) -> None:
        """Write an .npz file."""
        arrays = {f.name: getattr(self, f.name) for f in fields(self) if f.name != "facts"}
        with placed(path) as new, new.open("wb") as file:
            np.savez_compressed(file, format=FORMAT, facts=json.dumps(dict(self.facts)), **arrays)


def load_coarse_body(path: Path) -> CoarseBody:
    """Read a file written by `save`."""
    try:
        with Archive(path) as data:
            if "format" not in data or str(data["format"]) != FORMAT:
                raise SuppleError(f"{path}: is not a coarse body of this version; recreate it with `supple coarsen`")
            names = [f.name for f in fields(CoarseBody) if f.name != "facts"]
            return CoarseBody(**{name: data[name] for name in names}, facts=json.loads(str(data["facts"])))
    except FileNotFoundError:
        raise SuppleError(f"{path}: no such file; create it with `supple coarsen ... --out {path.name}`") from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise SuppleError(f"{path}: cannot be read as a coarse body ({error})") from None
