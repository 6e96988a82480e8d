"""Results of a fit: tables, remarks, files and pictures."""
