"""A run in a folder: start, resume, summary, expectations."""
