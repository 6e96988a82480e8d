"""Every figure and claim of the sources beside the measurements of supple."""
