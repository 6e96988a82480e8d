"""Instructions of the innermost loops of explicit steps, for vector registers."""
