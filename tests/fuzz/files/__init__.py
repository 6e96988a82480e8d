"""Damaged files of every kind that is read: meshes, images, clips, run folders and formulas."""
