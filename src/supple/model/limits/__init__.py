"""How large a model may be, and which numbers it can carry."""
