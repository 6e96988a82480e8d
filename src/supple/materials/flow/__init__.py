"""Plastic and fluid materials: after each step their deformation returns to the admissible range. For material points only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from supple.registry import Registry

if TYPE_CHECKING:
    from supple.materials.flow.flow import FlowMaterial

FLOWS: Registry[FlowMaterial] = Registry("flow", "supple.materials.flow", per_element=True, of_place=True)
