"""Commands about derivatives of runs."""
