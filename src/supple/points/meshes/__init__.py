"""Obstacles of triangles at the nodes of a grid."""
