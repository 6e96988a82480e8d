"""Scene files: what may stand in them, how they are read, checked and changed."""
