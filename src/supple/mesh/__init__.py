"""Meshes: the data, ready shapes, files, and the doctor that looks at them."""

from supple.registry import Registry

SHAPES = Registry("shape", "supple.mesh.shapes")
