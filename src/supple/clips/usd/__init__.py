"""Motion from USD stages."""
