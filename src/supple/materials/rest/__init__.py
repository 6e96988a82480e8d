"""Undeformed materials: energy, stress, stiffness, and the requirements on a formula."""
