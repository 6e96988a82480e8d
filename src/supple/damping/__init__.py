"""Dissipation potentials of velocities, one kind a file."""
