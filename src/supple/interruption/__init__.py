"""Ctrl-C, SIGTERM and closed terminals: signals, files that appear when complete, child processes, and the last sentence."""
