"""Corrections of the sources: what is printed, what works, and the test or panel that proves it."""
