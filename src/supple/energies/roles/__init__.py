"""Optional roles of terms beyond their energy sum: one role per file, each an additional base class."""
