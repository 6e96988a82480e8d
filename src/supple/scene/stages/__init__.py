"""A USD stage as a scene: bodies, materials, colliders, attachments and timing of a stage as tables."""
