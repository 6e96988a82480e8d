"""The method itself, without the wrappers around it in a scene file."""

from __future__ import annotations

from supple.integrators.method import Method
from supple.integrators.wrapper import Wrapper


def innermost(method: Method) -> Method:
    """The method inside an energy budget and error control, which are options of the method in a scene file."""
    return innermost(method.of) if isinstance(method, Wrapper) and method.table_key else method
