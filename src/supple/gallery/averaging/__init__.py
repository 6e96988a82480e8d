"""Panels of the paper on average vector field integration."""
