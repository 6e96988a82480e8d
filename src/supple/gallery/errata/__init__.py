"""Corrections of the sources: the printed form, the working form, and the test or panel that proves it."""
