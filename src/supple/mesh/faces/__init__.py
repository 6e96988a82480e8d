"""The faces of models: polygons with texture coordinates and names, cut into triangles for the simulation."""
