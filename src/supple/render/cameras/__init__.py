"""Cameras beside the fitted ones: positioned by hand, on a turntable, or read from files."""
