"""Energy terms, one kind per file."""

from supple.kernel_cache import choose

choose()  # before Numba reads its settings
