"""Bodies and obstacles at a time, as triangles with light and shadow, and the two renderers that draw them."""

from supple.kernel_cache import choose

choose()  # before Numba reads its settings
