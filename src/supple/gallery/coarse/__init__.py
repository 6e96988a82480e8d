"""Chapter 4 of the thesis: fine bodies of many materials as coarse ones."""
