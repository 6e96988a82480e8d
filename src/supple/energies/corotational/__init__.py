"""Linear elasticity in frames that rotate with the elements."""
