"""What a run keeps of the models that its bodies and obstacles came from: see recording/models.py."""

from __future__ import annotations

from pathlib import Path

from supple.mesh.faces.polygons import plain_polygons
from supple.mesh.topology import surface
from supple.model.placed import Placed
from supple.model.source import CoarseFile
from supple.recording.fine_skins import file_name
from supple.recording.models import ModelFaces, model_bytes, model_file


def model_copies(parts: tuple[Placed, ...]) -> tuple[dict[str, bytes], list[str]]:
    """Name and content of each file, and notes on surfaces that do not lie inside their bodies."""
    files: dict[str, bytes] = {}
    notes: list[str] = []
    for part in parts:
        if part.carried is not None:
            notes += part.carried.notes
        model = model_of(part)
        if model is not None:
            files[model_file(part.name)] = model_bytes(model)
    return files, notes


def model_of(part: Placed) -> ModelFaces | None:
    """The faces that a body or an obstacle is shown by, if they are not its own triangles."""
    carried = part.carried
    if carried is None:
        return None if part.mesh.is_solid or part.mesh.polygons is None else ModelFaces(part.mesh.polygons)
    mesh = carried.mesh
    polygons = mesh.polygons if mesh.polygons is not None else plain_polygons(surface(mesh))
    return ModelFaces(polygons, carried.binding.matrix, mesh.vertices, mesh.edges, carried.everywhere)


def coarse_copies(parts: tuple[Placed, ...]) -> dict[str, bytes]:
    """What a run keeps of its coarse bodies: name and content of each file."""
    return {
        file_name(part.name): Path(part.of.mesh.coarse).read_bytes()
        for part in parts
        if isinstance(part.of.mesh, CoarseFile)
    }
