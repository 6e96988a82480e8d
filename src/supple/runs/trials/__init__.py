"""Short runs that call kernels, so they are compiled in advance."""
