"""Named options of the commands that have many."""
