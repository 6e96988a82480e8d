"""Bending of sheets and rods."""
