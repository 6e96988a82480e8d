"""Strategies for the linear systems of Newton's method: retained preconditioners, shifts, and their choice."""
