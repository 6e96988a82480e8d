"""Triangle-mesh obstacles at the nodes of a grid."""
