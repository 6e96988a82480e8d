"""Obstacles, contact between bodies, and friction."""
