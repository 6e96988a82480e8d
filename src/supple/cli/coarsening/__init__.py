"""Parts of `supple coarsen`."""
