"""Bodies given by a distance function, filled with tets: a body-centred lattice, warped onto the surface and cut by it.

The method is by Labelle and Shewchuk (2007). Lattice nodes close to the surface move onto it. The remaining
lattice tets that the surface crosses are cut by a fixed pattern. Since no cut comes close to a node, no tet is flat.
"""
