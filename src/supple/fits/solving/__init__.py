"""Minimisation of a loss: trials, Gauss-Newton with tangents, L-BFGS-B with adjoints, horizons."""
