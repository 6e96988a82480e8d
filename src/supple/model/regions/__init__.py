"""Parts of a body with moduli and densities of their own."""
