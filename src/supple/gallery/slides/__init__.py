"""Panels of the lecture slides."""
