"""Areas and volumes, of elements and of whole bodies."""
