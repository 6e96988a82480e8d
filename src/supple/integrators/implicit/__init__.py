"""Implicit methods: one or more minimisations or equations per step."""
