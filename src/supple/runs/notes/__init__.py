"""What a run tells its user: what it begins with, what looks wrong, and what happened on the way."""
