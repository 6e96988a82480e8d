"""Implicit steps of particles through tiles: fields, forces and products with the stiffness, without any matrix."""
