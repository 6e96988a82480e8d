"""Strain-energy densities of membranes."""
