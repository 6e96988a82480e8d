"""Surfaces that bodies of tets carry along and are shown by."""
