"""Solids in simple tests: stress curves, stable ranges, and constants from measured data."""
