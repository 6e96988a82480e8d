"""Formulas: from text to graphs, derivatives, values and machine code. No physics."""
