"""Panels of the paper on average vector field (AVF) integration."""
