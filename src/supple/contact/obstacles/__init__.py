"""Contact of vertices with fixed shapes."""
