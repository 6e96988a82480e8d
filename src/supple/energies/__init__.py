"""Energy terms, one kind a file."""

from supple import kernel_cache  # noqa: F401  (before Numba reads its settings)
