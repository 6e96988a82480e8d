"""Cages: tets on a lattice of cubes around a surface that need not be closed, clean or connected."""
