"""Early ends of a run: Ctrl-C and SIGTERM, limits on time and memory."""
