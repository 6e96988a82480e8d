"""Meshes: data, built-in shapes, file formats, and the mesh doctor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from supple.errors import MeshError
from supple.registry import Registry

if TYPE_CHECKING:
    from supple.mesh.shapes.shape import MeshShape

SHAPES: Registry[MeshShape] = Registry("shape", "supple.mesh.shapes", error=MeshError)
