"""Figures and claims of the sources, compared with measurements of supple."""
