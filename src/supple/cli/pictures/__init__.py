"""Commands that show a recorded run: films, pictures, loops."""
