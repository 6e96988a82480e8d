"""Contact and friction of a world: what touches, how hard it will press, what stands in what."""
