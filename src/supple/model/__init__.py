"""Plain objects that describe a world, and their assembly into a system."""
