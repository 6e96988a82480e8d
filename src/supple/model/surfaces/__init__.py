"""Embedded surfaces, carried by bodies of tets and displayed in their place."""
