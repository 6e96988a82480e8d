"""Energies of vertices in force fields."""
