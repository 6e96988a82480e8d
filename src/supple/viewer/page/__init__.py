"""Content of the page."""
