"""The mesh in a file: from a mesh file, or the first frame of a moving object, in metres and with the scene's up axis."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from supple.clips.reading import is_clip_file, read_clip
from supple.clips.space import Placement, Space
from supple.errors import SuppleError
from supple.mesh.doctor import heal
from supple.mesh.exchange import merged_vertices
from supple.mesh.formats import load_mesh, read_mesh
from supple.mesh.mesh import Mesh
from supple.mesh.stages.stage import is_stage, open_stage

if TYPE_CHECKING:
    from supple.model.source import MeshFile

SPLIT = (".glb", ".gltf")
"""Formats that duplicate vertices along seams of textures and normals."""


def plain_mesh(source: MeshFile, up: str) -> tuple[Mesh, str]:
    """The mesh from its file, rotated and scaled, and a note about it."""
    if not is_clip_file(source.file):
        mesh = read_mesh(source.file)
        return mesh.moved(Placement.of(Space(), up, source.scale, source.up)(mesh.vertices)), ""
    if is_stage(source.file):
        mesh = read_mesh(source.file, source.object)
        return mesh.moved(_stage_placement(source, up)(mesh.vertices)), ""
    clip, _ = read_clip(source.file, source.object)
    mesh = clip.mesh()
    if not len(mesh.triangles) and not len(mesh.edges):
        raise SuppleError(
            f"{clip.file}: '{clip.name}' has neither faces nor edges; give a separate mesh, and follow this file"
        )
    if source.file.lower().endswith(SPLIT) and mesh.polygons is None:
        mesh = merged_vertices(mesh)
    placement = Placement.of(clip.space, up, source.scale, source.up)
    said = f"first frame of '{clip.name}' in {clip.file}, {placement.text(clip.space, up, source.up)}"
    return mesh.moved(placement(mesh.vertices)), said


def mesh_in_file(source: MeshFile, up: str) -> tuple[Mesh, list[str]]:
    """The mesh, and notes on repairs and rotation."""
    if not is_clip_file(source.file):
        mesh, notes = load_mesh(source.file)
        placement = Placement.of(Space(), up, source.scale, source.up)
        return mesh.moved(placement(mesh.vertices)), notes
    if is_stage(source.file):
        mesh, notes = load_mesh(source.file, source.object)
        return mesh.moved(_stage_placement(source, up)(mesh.vertices)), notes
    mesh, said = plain_mesh(source, up)
    mesh, notes = heal(mesh, where=Path(source.file).name)
    return mesh, [*notes, said]


def _stage_placement(source: MeshFile, up: str) -> Placement:
    """Rotation and scaling of a mesh from a stage, which is already in metres."""
    return Placement.of(Space(up=open_stage(source.file).up), up, source.scale, source.up)
