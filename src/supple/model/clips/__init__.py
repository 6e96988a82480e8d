"""Motion from files: objects and joints that move vertex groups of bodies and meshes of obstacles."""
