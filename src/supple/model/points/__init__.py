"""Bodies of material points, and worlds that have some."""
