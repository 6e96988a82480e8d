"""Numbers of a scene from what is known of its motion: derivatives of whole runs, fits, control and inverse design."""
