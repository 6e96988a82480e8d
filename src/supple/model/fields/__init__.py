"""Fields that act in space: moving air, forces, and drag in a region; one kind per file."""
