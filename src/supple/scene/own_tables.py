"""User-defined tables: `[NAME]` in a scene, which may change the world described by the other tables."""

from __future__ import annotations

from typing import ClassVar

from supple.model.world import World
from supple.registry import Registry


class SceneTable:
    """Base class of user-defined tables; subclasses are frozen dataclasses of their keys, registered in SCENE_TABLES."""

    name: ClassVar[str]

    def change(self, world: World) -> World:
        """The world with the changes of this table."""
        raise TypeError(f"{type(self).__name__} does not implement `change`")


SCENE_TABLES: Registry[SceneTable] = Registry("scene table")
