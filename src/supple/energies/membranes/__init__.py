"""Membranes of triangles."""
