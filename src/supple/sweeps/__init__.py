"""Many runs of one scene: which values its keys take, where the runs are computed, and what came out of them."""
