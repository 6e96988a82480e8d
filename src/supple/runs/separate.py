"""A scene with separated bodies."""

from __future__ import annotations

from supple.model.contacts.separate import separated
from supple.model.plain import plain
from supple.scene.tables.scene import Scene


def apart(scene: Scene) -> tuple[Scene, list[str]]:
    """The scene with the new positions of its bodies, and notes on the moved ones."""
    setup = scene.make()
    world, notes = separated(setup.world, setup.h, setup.duration, setup.limits)
    if not notes:
        return scene, []
    tables = scene.model_dump(exclude_none=True)["body"]
    for table, body in zip(tables, world.bodies, strict=True):
        table["initial"] = plain(body.initial)
    return scene.with_tables({"body": tables}), notes
