"""Solids in simple tests: stress curves, where they are stable, and constants from measured data."""
