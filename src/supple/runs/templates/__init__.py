"""First scenes for new users: short, commented, and such that they look right without a change."""
