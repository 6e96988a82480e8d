"""Meshes in USD stages: tetrahedra, polygons, curves and simple solids, in metres, where their prims stand."""
