"""Chapter 4 of the thesis: homogenisation of heterogeneous bodies."""
