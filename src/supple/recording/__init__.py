"""What a run leaves behind: a folder with the animation, the ledger and a checkpoint to continue from."""
