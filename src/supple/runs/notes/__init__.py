"""Notes of a run for the user: initial state, suspicious values, and events during the run."""
