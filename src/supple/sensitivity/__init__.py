"""Derivatives of entire runs: a step rehearsed once is differentiated backwards (pull) and forwards (push)."""
