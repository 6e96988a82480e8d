"""Systems about one state: matrices, modes, and sums of outer products beside them."""
