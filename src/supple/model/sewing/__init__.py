"""Sewing: seams that pull edges together and hold them, and pleats that are pressed into cloth."""
