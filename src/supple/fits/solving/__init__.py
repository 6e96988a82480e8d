"""How a loss is made small: trials, Gauss-Newton with tangents, L-BFGS-B with adjoints, horizons."""
