"""Panels of the thesis: variational integrators, damping, adaptive steps."""
