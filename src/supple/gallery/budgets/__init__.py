"""Panels on energy budgets (S)."""
