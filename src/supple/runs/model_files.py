"""Copies of the source models of bodies and obstacles in a run: see recording/models.py."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from supple.clips.clip import Clip
from supple.clips.kept import copy_bytes, copy_name
from supple.clips.reading import is_clip_file, read_clip
from supple.clips.rig import Rig
from supple.mesh.faces.polygons import plain_polygons
from supple.mesh.stages.stage import is_stage
from supple.mesh.topology import surface
from supple.model.clips.followed import read_followed
from supple.model.model import Model
from supple.model.motion import Moves
from supple.model.placed import Placed
from supple.model.source import CoarseFile, MeshFile, MeshSource
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
    """The display faces of a body or an obstacle, if they differ from its own triangles."""
    carried = part.carried
    if carried is None:
        return None if part.mesh.is_solid or part.mesh.polygons is None else ModelFaces(part.mesh.polygons)
    mesh = carried.mesh
    polygons = mesh.polygons if mesh.polygons is not None else plain_polygons(surface(mesh))
    return ModelFaces(polygons, carried.binding.matrix, mesh.vertices, mesh.edges, carried.everywhere)


def coarse_copies(parts: tuple[Placed, ...]) -> dict[str, bytes]:
    """Files of the coarse bodies of a run: name and content of each."""
    return {
        file_name(part.name): Path(part.of.mesh.coarse).read_bytes()
        for part in parts
        if isinstance(part.of.mesh, CoarseFile)
    }


def clip_copies(model: Model) -> dict[str, bytes]:
    """Copies of the motion files of a run: name and content of each."""
    taken: dict[str, dict[str, Clip | Rig]] = {}
    for part in model.placed:
        source = part.of.mesh
        if isinstance(source, MeshFile) and is_clip_file(source.file) and not is_stage(source.file):
            clip, _ = read_clip(source.file, source.object)
            # the first frame, unless the motion is needed too
            first = replace(clip, times=clip.times[:1], positions=clip.positions[:1])
            taken.setdefault(source.file, {}).setdefault(clip.name, first)
    followed: list[tuple[Moves | None, MeshSource | None]]
    followed = [(moves, part.of.mesh) for part in model.placed for moves in part.moves]
    followed += [(getattr(energy, "motion", None), None) for energy in model.world.energies]
    for moves, mesh in followed:
        if moves is not None and moves.file is not None:
            found = read_followed(moves, mesh if isinstance(mesh, MeshFile) else None)
            taken.setdefault(moves.file, {})[found.name] = found
    return {copy_name(file): copy_bytes(entries.values()) for file, entries in taken.items()}
