"""Position-based dynamics."""
