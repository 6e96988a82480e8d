"""How a run ends before its time: Ctrl-C and SIGTERM, limits on time and memory."""
