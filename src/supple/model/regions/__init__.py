"""Parts of a body with their own moduli and densities."""
