"""Every key of a scene and every option of a command, one at a time, with values up a ladder."""
