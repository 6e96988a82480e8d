"""What is shown on the page."""
