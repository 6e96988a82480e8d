"""Obstacles, bodies that touch, and friction between them."""
