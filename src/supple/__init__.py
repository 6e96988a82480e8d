"""supple: deformable bodies that keep their energy."""

__version__ = "0.1.0"
