"""Corrections of the sources: printed form, working form, and the test or panel that proves it."""
