"""First scenes for new users: short, commented, and realistic without changes."""
