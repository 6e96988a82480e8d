"""A body of a world as input for coarsening."""

from __future__ import annotations

import numpy as np

from supple.coarsening.fine_body import FineBody
from supple.errors import SceneError, SuppleError, did_you_mean
from supple.mesh.measure import tet_volumes
from supple.mesh.mesh import Mesh
from supple.model.body import Body
from supple.model.placing import find_meshes, plain_body
from supple.model.regions.values import densities, tensors_of
from supple.model.world import World


def fine_body(world: World, name: str | None = None) -> FineBody:
    """Tets, stiffness at rest and density of a solid; `name`: name of the body, the first if absent."""
    body, mesh = fine_mesh(world, name)
    place = f"body[{[b.name for b in world.bodies].index(body.name)}]"
    if not mesh.is_solid:
        raise SceneError(f"{place}: only solids can be coarsened, but the mesh has no tets")
    m = len(mesh.tets)
    volume = tet_volumes(mesh.vertices, mesh.tets)
    density = densities(body, mesh)
    if density is None:
        density = (body.mass or 0.0) / float(volume.sum())
    try:
        C = np.broadcast_to(tensors_of(body, mesh), (m, 6, 6))
    except SuppleError as error:
        raise SceneError(f"{place}.material: {error}") from None
    return FineBody(mesh.vertices, mesh.tets, np.ascontiguousarray(C), np.full(m, density))


def fine_mesh(world: World, name: str | None = None) -> tuple[Body, Mesh]:
    """A body and its mesh, with the body's groups and without its holes."""
    names = [body.name for body in world.bodies]
    if name is not None and name not in names:
        raise SceneError(f"unknown body '{name}'{did_you_mean(name, names)} known: {', '.join(names)}")
    k = 0 if name is None else names.index(name)
    found = find_meshes(world)[0][k]
    return plain_body(world.bodies[k], found, f"body[{k}]").body, found.mesh
