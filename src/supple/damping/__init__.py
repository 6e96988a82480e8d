"""Dampers that a user asks for, one kind a file."""

from supple.registry import Registry

DAMPINGS = Registry("damping", "supple.damping")
