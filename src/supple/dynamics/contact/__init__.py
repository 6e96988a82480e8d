"""Steps through contact."""
