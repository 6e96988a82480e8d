"""Materials beyond strain-energy densities: springs, shells, rods, stiffness tensors."""
