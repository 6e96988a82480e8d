"""What commands print of their results."""
