"""Cameras beside the fitted ones: placed by hand, on a turntable, from files of other programs."""
