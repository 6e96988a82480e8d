"""What a fit has found: tables, remarks, files and pictures."""
