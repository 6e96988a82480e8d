"""Materials with fibres, and the directions of these."""
