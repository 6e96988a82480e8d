"""Directing factors: stiffer, heavier, bouncier, settled after a given time; their effect on bodies and methods."""
