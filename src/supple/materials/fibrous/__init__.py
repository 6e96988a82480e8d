"""Materials with fibres, and fibre directions."""
