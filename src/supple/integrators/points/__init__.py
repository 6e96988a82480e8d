"""Material points: one step of a method on the nodes of a grid."""
