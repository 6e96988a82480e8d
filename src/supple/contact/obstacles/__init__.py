"""Contact of vertices with fixed shapes; `OBSTACLES.load()` returns every shape under its name in scenes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from supple.registry import Registry

if TYPE_CHECKING:
    from supple.contact.obstacles.shapes import Shape

OBSTACLES: Registry[Shape] = Registry("obstacle shape", "supple.contact.obstacles", variable="OBSTACLES")
