"""Time-dependent options: curves that drive the constants of terms, and muscles."""
