"""Methods with one linear solve per step."""
