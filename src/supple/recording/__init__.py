"""Records of a run: a folder with the animation, the ledger and a checkpoint to resume from."""
