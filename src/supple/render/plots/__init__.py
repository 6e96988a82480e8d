"""Plots, one kind per file."""
