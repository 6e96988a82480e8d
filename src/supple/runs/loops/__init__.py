"""A piece of a run that can be repeated without a seam."""
