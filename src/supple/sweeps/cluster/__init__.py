"""Communication between a sweep and its workers: shared folder, cancelled runs, and worker deaths."""
