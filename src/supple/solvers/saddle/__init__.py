"""Linear systems of stages with constraints."""
