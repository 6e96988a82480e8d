"""Energies of a world beside those of its bodies."""
