"""Keyframes of prescribed motion."""
