"""Observations, targets, and losses built from them."""
