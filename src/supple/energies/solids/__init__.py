"""Tetrahedral solids."""
