"""What a run keeps of the models that its bodies and obstacles came from: see recording/models.py."""

from __future__ import annotations

import numpy as np

from supple.errors import SceneError, SuppleError
from supple.export.skin import bind, check_fit, check_surface
from supple.mesh.faces.polygons import plain_polygons
from supple.mesh.formats import read_mesh
from supple.mesh.topology import surface
from supple.model.contacts.setting import Part
from supple.recording.models import Model, model_bytes, model_file
from supple.scene.tables.geometry import MeshFile


def model_copies(parts: tuple[Part, ...]) -> tuple[dict[str, bytes], list[str]]:
    """Name and content of each file, and notes on skins that do not lie inside their bodies."""
    files, notes = {}, []
    for part in parts:
        try:
            model, said = _model(part)
        except SuppleError as error:
            raise SceneError(f"{part.path}.mesh.skin: {error}") from None
        notes += said
        if model is not None:
            files[model_file(part.table.name)] = model_bytes(model)
    return files, notes


def _model(part: Part) -> tuple[Model | None, list[str]]:
    table = part.table.mesh
    if not isinstance(table, MeshFile):
        return None, []
    if not part.mesh.is_solid:
        if table.skin is not None:
            raise SuppleError("a skin is carried by tets, but this mesh has none; leave skin out, or give edge_length")
        return (None if part.mesh.polygons is None else Model(part.mesh.polygons)), []
    file = table.skin or (table.file if table.edge_length is not None else None)
    if file is None:
        return None, []
    skin = read_mesh(file)
    check_surface(file, skin)
    binding = bind(skin.vertices * table.scale, part.mesh.vertices, part.mesh.tets)
    notes = check_fit(file, binding, float(np.linalg.norm(part.mesh.extent)))
    polygons = skin.polygons if skin.polygons is not None else plain_polygons(surface(skin))
    # the file itself always lies a hair's breadth outside of the tets that fill it
    return Model(polygons, binding.corners, binding.weights), notes if table.skin else []
