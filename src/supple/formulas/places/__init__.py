"""Position-dependent numbers: expressions of the rest position, and files with one value per element."""
