"""Panels of "A numerical perspective" (Ascher, Larionov, Sheen, Pai)."""
