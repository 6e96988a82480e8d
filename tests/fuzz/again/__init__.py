"""Random scenes that run, run again: the same bits in another process, on two threads, and after stops."""
