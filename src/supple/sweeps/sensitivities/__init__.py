"""Sensitivities to the varied keys: variance indices and regressions."""
