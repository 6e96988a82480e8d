"""Comparisons: a few named runs, computed in this process unless workers are requested."""
