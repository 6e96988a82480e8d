"""Validation of values given in Python against the type hints of their class or function, as for scene files."""

from supple.checks.calls import checked_call
from supple.checks.construction import check_values, checked

__all__ = ["check_values", "checked", "checked_call"]
