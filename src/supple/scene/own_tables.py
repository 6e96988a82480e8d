"""Tables of a user's own: `[NAME]` in a scene, which may change the world that the other tables describe."""

from __future__ import annotations

from typing import ClassVar

from supple.model.world import World
from supple.registry import Registry


class SceneTable:
    """Base of such tables; subclasses are frozen dataclasses of their keys, registered in SCENE_TABLES."""

    name: ClassVar[str]

    def change(self, world: World) -> World:
        """The world with what the table asks for."""
        raise TypeError(f"{type(self).__name__} does not define what it changes")


SCENE_TABLES: Registry[SceneTable] = Registry("scene table")
