"""Linear elasticity in frames that turn with the elements."""
