"""Fields that act in space: air that moves, forces, and drag in a region; one kind a file."""
