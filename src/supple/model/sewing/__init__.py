"""Sewing: seams that pull edges together and hold them, and pleats in cloth."""
