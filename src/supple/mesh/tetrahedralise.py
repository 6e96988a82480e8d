"""Fill a closed surface with tets, by fTetWild (Hu, Schneider, Wang, Zorin, Panozzo, 2020) through `pytetwild`.

fTetWild follows the surface within an envelope, not exactly, and two runs give different meshes: write the result
to a file and simulate that. The vertices of the surface are not preserved; groups move to the new vertices at their
positions.
"""

from __future__ import annotations

import numpy as np

from supple.errors import MeshError
from supple.interruption.placing import scratch
from supple.mesh.doctor import drop_unreferenced, filling_problems, heal
from supple.mesh.filled.groups import carried_groups
from supple.mesh.filled.process import Watch, fill
from supple.mesh.mesh import Mesh
from supple.mesh.shapes.grid import solid
from supple.types import Array, Ints


def tetrahedralise(
    surface: Mesh,
    edge_length: float | None = None,
    envelope: float = 1e-3,
    coarsen: bool = False,
    threads: int = 0,
    watch: Watch | None = None,
) -> Mesh:
    """Tets inside a closed surface, with the groups of the surface and left, right, bottom, top, back and front.

    `edge_length` [m] is the target for the largest edge (a twentieth of the bounding box's diagonal if not given);
    details and quality may require shorter ones. `envelope` is the permitted distance between the new surface and the
    old one, as a fraction of that diagonal; a wider one gives fewer tets. `coarsen` removes vertices that quality does
    not require. `watch` receives a line of text at every progress update.
    """
    surface, _ = heal(surface, where="surface")
    if problems := filling_problems(surface):
        raise MeshError("\n".join(problems))
    diagonal = float(np.linalg.norm(surface.extent))
    for name, value, limit in (("edge_length", edge_length, diagonal), ("envelope", envelope, 1.0)):
        if value is not None and not 0.0 < value < limit:
            raise MeshError(f"tetrahedralise.{name}: found {value}; must be above 0 and below {limit:.4g}")
    options = {"edge_length_abs": edge_length, "epsilon": envelope, "coarsen": coarsen, "num_threads": threads}
    # fTetWild leaves a file with its view of the surface in the working folder.
    with scratch() as folder:
        x, tets = fill(folder, surface.vertices, surface.triangles, options, watch)
    if len(tets) == 0:
        raise MeshError(
            f"surface: fTetWild found no inside ({len(surface.triangles)} triangles, diagonal {diagonal:.4g} m); "
            "use a smaller edge_length or envelope, and check whether the surface intersects itself"
        )
    body = heal(_body(x, tets), where="tetrahedralised surface")[0]
    return body.with_groups(carried_groups(surface, body))


def _body(x: Array, tets: Ints) -> Mesh:
    raw = drop_unreferenced(Mesh(x, tets=tets))
    return solid(raw.vertices, raw.tets)
