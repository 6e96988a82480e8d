"""A USD stage as another way to write a scene: bodies, materials, colliders, attachments and the clock of a stage as tables."""
