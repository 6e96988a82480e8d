"""Pictures of recorded runs."""
