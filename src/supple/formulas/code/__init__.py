"""Formulas as machine code, by LLVM."""
