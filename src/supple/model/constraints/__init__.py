"""Exact constraints: rods of fixed length, and vertices on planes, spheres, surfaces and wires."""
