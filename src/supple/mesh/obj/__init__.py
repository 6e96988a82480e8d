"""Wavefront OBJ files and their material libraries."""
