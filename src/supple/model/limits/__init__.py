"""Limits on the size of a model and on the range of its values."""
