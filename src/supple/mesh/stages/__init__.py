"""Meshes in USD stages: tetrahedra, polygons, curves and simple solids, in metres, at the positions of their prims."""
