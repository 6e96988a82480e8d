"""Checks of the contents of a run folder before use."""
