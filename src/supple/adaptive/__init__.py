"""Steps that follow the motion: rules for their length, the methods that honour them, and control by error."""

from supple.registry import Registry

RULES = Registry("rule", "supple.adaptive")
