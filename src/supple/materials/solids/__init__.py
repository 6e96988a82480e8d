"""Solids of rubber, tissue, foam and wood, grouped by substance."""
