"""The page of a sweep: every run at the same time, its figures, and its curves."""
