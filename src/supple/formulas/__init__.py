"""Formulas as text: parsed, checked, evaluated. Knows no physics."""
