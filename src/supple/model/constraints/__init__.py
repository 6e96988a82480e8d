"""What vertices keep exactly: rods of fixed length, and vertices on planes, spheres, surfaces and wires."""
