"""A section of a run that repeats without a seam."""
