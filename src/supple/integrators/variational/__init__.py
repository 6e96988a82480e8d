"""Variational integrators."""
