"""Cases that are played inside Blender, by tests/blender/stage.py."""
