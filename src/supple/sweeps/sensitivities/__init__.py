"""Which of the keys that vary matter most: indices of variance, and regressions."""
