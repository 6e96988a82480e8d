"""Comparisons: a few runs under names, computed in this process unless workers are asked for."""
