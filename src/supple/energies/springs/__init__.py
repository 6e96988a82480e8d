"""Springs: between vertices, between points on elements, with ends that slide."""
