"""The page of a gallery."""
