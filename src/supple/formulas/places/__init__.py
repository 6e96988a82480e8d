"""Numbers that depend on the place: expressions of the rest position, and files with one for each element."""
