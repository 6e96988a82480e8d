"""What a motion is compared with: observations, targets, and losses made of them."""
