"""What goes on between a sweep and its workers: whether they see the folder, whether a run is still wanted, and who died."""
