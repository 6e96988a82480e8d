"""Energies of vertices in fields of force."""
