"""Checks of what a run folder holds before it is believed."""
