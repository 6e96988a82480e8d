"""Vertices that follow a file: how its objects and joints move groups of bodies, and meshes of obstacles."""
