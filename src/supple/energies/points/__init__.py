"""Terms of material points as functions of the nodes of their grid."""
