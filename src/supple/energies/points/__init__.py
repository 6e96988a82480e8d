"""Terms of material points as functions of the grid nodes."""
