"""Repair of faulty meshes: see `repair`."""
