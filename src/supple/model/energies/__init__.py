"""Additional energies of a world, besides those of its bodies."""
