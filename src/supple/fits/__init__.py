"""Parameters of a scene from its motion: derivatives of entire runs, fits, control and inverse design."""
