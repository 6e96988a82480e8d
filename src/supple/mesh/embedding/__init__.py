"""Fine surfaces embedded in tets."""
