"""A fine surface embedded in a solid of a recorded run: see mesh/embedding/binding.py."""

from __future__ import annotations

import numpy as np

from supple.export.sequence import Body
from supple.mesh.embedding.binding import Binding
from supple.mesh.mesh import Mesh
from supple.mesh.topology import surface
from supple.recording.parts import Part
from supple.recording.playback import Singles


def skinned(part: Part, skin: Mesh, binding: Binding) -> Body:
    """The skin as the body of a sequence; it is bound to the vertices of the film."""
    matrix = binding.matrix

    def pick(values: Singles) -> Singles:
        own = values[: matrix.shape[1]].astype(np.float64)  # shapes follow the recorded vertices
        return np.ascontiguousarray(matrix @ own, dtype=np.float32)

    none = np.empty((0, 4), dtype=np.int32)
    return Body(part.name, skin.n, surface(skin), skin.edges, none, False, pick, part.colour, polygons=skin.polygons)
