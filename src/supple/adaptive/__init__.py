"""Steps that follow the motion: rules for their length, the methods that honour them, and control by error."""

from __future__ import annotations

from typing import TYPE_CHECKING

from supple.registry import Registry

if TYPE_CHECKING:
    from supple.adaptive.rule import Rule

RULES: Registry[Rule] = Registry("rule", "supple.adaptive")
