"""The tables of a scene file, one per file."""
