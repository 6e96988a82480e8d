"""Surfaces that are filled with tets: the program that does it, and what is carried over."""
