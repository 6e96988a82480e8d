"""Adaptive time steps: step-length rules, the methods that follow them, and error control."""

from __future__ import annotations

from typing import TYPE_CHECKING

from supple.registry import Registry

if TYPE_CHECKING:
    from supple.adaptive.rule import Rule

RULES: Registry[Rule] = Registry("rule", "supple.adaptive")
