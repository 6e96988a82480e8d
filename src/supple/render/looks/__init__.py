"""Looks of pictures: the scientific one, and shaded ones with material appearance."""
