"""Damping that brings a body to rest in a given time: where it rests, its slow motions, and the dampers that fit them."""
