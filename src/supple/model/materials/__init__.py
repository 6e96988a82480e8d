"""Materials that are more than a strain-energy density: springs, shells, rods, stiffness tensors."""
