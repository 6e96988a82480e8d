"""Explicit methods."""
