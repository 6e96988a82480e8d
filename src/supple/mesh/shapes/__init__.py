"""Ready-made meshes."""
