"""A step executed once on formal vectors, and the resulting program."""
