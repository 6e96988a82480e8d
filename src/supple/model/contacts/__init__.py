"""Contact and friction of a world: contact pairs, expected pressures, initial overlaps."""
