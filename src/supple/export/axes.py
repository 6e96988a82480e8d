"""The axes of exports: see mesh/axes.py."""

from supple.mesh.axes import KEPT, Turn

__all__ = ["KEPT", "Turn"]
