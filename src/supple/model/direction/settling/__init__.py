"""Damping that brings a body to rest in a given time: equilibrium, slow motions, and suitable dampers."""
