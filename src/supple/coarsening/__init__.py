"""Numerical coarsening: a fine body of many materials as a small anisotropic one that moves alike (Kharevych 2010)."""
