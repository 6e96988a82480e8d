"""From text to checked tables and back."""
