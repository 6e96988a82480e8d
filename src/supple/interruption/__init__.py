"""Ctrl-C and SIGTERM: signals, files that appear when they are complete, child processes, and the sentence at the end."""
