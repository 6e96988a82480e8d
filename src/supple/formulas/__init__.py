"""Formulas: from text to graphs, derivatives, values and machine code. No physics."""

from supple.kernel_cache import choose

choose()  # before Numba reads its settings
