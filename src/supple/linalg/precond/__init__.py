"""Approximate inverses of symmetric matrices of a fixed pattern, for conjugate gradients."""
