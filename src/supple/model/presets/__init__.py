"""Preset materials with everyday names: published or typical values, and bodies made of them."""
