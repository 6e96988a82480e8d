"""Contact of vertices with fixed shapes; `OBSTACLES.load()` has every shape under the name that scenes have for it."""

from supple.registry import Registry

OBSTACLES = Registry("obstacle shape", "supple.contact.obstacles")
