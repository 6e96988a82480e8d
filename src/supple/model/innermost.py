"""The method itself, without what stands around it in the text of a scene."""

from __future__ import annotations

from supple.integrators.method import Method
from supple.integrators.wrapper import Wrapper


def innermost(method: Method) -> Method:
    """The method inside an energy budget and error control, which a scene writes as options of it."""
    return innermost(method.of) if isinstance(method, Wrapper) and method.table_key else method
