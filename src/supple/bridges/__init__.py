"""Runs as functions in automatic differentiation frameworks: PyTorch and JAX."""
