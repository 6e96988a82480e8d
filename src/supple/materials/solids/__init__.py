"""Solids of rubber, tissue, foam and wood, grouped by what they are made of."""
