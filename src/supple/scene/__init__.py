"""Scene files: allowed content, reading, checking and overrides."""
