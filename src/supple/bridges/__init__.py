"""Runs as functions inside programs that differentiate: PyTorch and JAX."""
