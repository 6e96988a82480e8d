"""Sparse direct solvers."""
