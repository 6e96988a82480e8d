"""Meshes: the data, ready shapes, files, and the doctor that looks at them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from supple.errors import MeshError
from supple.registry import Registry

if TYPE_CHECKING:
    from supple.mesh.shapes.shape import MeshShape

SHAPES: Registry[MeshShape] = Registry("shape", "supple.mesh.shapes", error=MeshError)
