"""Every figure and claim of the sources beside what supple measures."""
