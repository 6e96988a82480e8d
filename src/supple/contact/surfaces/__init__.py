"""Contact between triangle surfaces."""
