"""Access control of a page: connections, client messages and rates."""
