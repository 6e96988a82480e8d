"""Options of the commands that have many, each under a name."""
