"""The faces of models: polygons with texture coordinates and names, triangulated for the simulation."""
