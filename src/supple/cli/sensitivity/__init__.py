"""Commands that differentiate runs."""
