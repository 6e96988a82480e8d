"""Systems linearised about one state: matrices, modes, and additional sums of outer products."""
