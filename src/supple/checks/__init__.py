"""Values given in Python are held against the type hints of their class, as those of a scene file are."""

from supple.checks.construction import check_values, checked

__all__ = ["check_values", "checked"]
